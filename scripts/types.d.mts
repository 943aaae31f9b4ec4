/** Writes the declarations of a release below `outdir`; throws on type errors. */
export function buildTypes(root: string, options: { outdir: string; check: boolean }): void;
