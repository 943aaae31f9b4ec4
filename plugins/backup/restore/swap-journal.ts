import { join } from "node:path";

/** Folder of a swap of files, below the root. */
export const SWAP_FOLDER = join(".dune", "swap");

/** The record of a swap of files in a root, which exists while they are swapped. */
export function swapJournal(root: string): string {
  return join(root, SWAP_FOLDER, "journal.json");
}
