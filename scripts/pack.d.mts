export function packedReadme(text: string, has: (file: string) => boolean): string;
export function pack(folder: string): { path: string; bytes: number };
export function packCreate(folder: string): { path: string; bytes: number };
export function wrongFigures(
  readme: string,
  measured: { bytes: number; packages: number; megabytes: number },
): string[];
