// The package ships no types; this is the part that name.ts uses.
declare module 'validate-npm-package-name' {
  export default function validate(name: string): {
    validForNewPackages: boolean;
    warnings?: string[];
    errors?: string[];
  };
}
