/** Writes the declarations of a release below `outdir`; throws when the types are wrong. */
export function buildTypes(root: string, options: { outdir: string; check: boolean }): void;
