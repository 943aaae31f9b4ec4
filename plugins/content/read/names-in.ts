import { readdir } from "node:fs/promises";
import { isMissing } from "./read-source.js";

/** The names in a folder; empty when it does not exist. @throws the system error for an unreadable one. */
export async function namesIn(directory: string): Promise<string[]> {
  try {
    return await readdir(directory);
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
}
