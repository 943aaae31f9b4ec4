import type { Metafile } from "esbuild";

/** Turns the modules that esbuild wrote to `outdir` into scripts; `outputs` of its metafile. */
export function modulesToScripts(
  outputs: Metafile["outputs"],
  folders: { root: string; outdir: string },
): void;
