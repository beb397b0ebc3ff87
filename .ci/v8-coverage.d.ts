declare module '@bcoe/v8-coverage' {
  /** What a process writes to the folder of `NODE_V8_COVERAGE`. */
  export interface ProcessCov {
    readonly result: readonly ScriptCov[];
  }

  export interface ScriptCov {
    readonly scriptId: string;
    readonly url: string;
    readonly functions: {
      functionName: string;
      isBlockCoverage: boolean;
      ranges: { startOffset: number; endOffset: number; count: number }[];
    }[];
  }

  export function mergeProcessCovs(processes: readonly ProcessCov[]): ProcessCov;
}
