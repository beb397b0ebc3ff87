// The page about an API: the module with its files, which .ci/build-pages.ts writes and `imports` of package.json names.
declare module '#docs-page-files' {
  interface PageFile {
    /** In base64. */
    readonly gzip: string;
    readonly etag: string;
  }

  export const script: PageFile;
  export const style: PageFile;
}
