/** Compiles the sources into `dist/`. */
export function build(): Promise<void>;
/** True when a source is newer than what was compiled. */
export function isStale(): boolean | Promise<boolean>;
/** Compiles only what has changed since. */
export function buildWhenStale(): Promise<void>;
