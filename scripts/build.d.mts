/** Compiles the sources into `dist/`. */
export function build(): Promise<void>;
/** True when a source is newer than the compiled files. */
export function isStale(): boolean | Promise<boolean>;
/** Compiles if a source has changed. */
export function buildWhenStale(): Promise<void>;
/** Writes the contract of this version for `site upgrade`, below `outdir`. */
export function buildContract(outdir: string): void;
