/** A second look at files that an editor is saving. */
import { setTimeout as sleep } from "node:timers/promises";
import type { FoundChanges } from "../read/read-paths.js";

/** How long an editor may take between emptying a file and writing it, in ms. */
const SAVING_MS = 100;

/** Calls `look`, and again when a file is empty: most editors empty a file before saving it. */
export async function whenSaved(look: () => Promise<FoundChanges>): Promise<FoundChanges> {
  const found = await look();
  if (!found.changed.some(({ size }) => size === 0)) return found;
  await sleep(SAVING_MS);
  return look();
}
