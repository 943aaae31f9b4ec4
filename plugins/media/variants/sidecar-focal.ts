import { readYaml } from "#lib/yaml";
import type { FocalPoint } from "../contract.js";
import { openInside, type FileStamp } from "../originals/open-file.js";
import { toFocal } from "./variant.js";

/** Maximum bytes of a sidecar. */
const LARGEST = 64 * 1024;

/** The focal point of a sidecar, and the state of its file. */
export interface SidecarFocal {
  readonly focal: FocalPoint | null;
  /** Null: there is no sidecar. */
  readonly stamp: FileStamp | null;
}

/** Reads `focal_point: [x, y]` of a sidecar; no point when it is missing or does not parse. */
export async function readSidecarFocal(root: string, path: string): Promise<SidecarFocal> {
  const opened = await openInside(root, path);
  if (opened === null) return { focal: null, stamp: null };
  const { handle, stamp } = opened;
  try {
    const text = stamp.size > LARGEST ? "" : await handle.readFile("utf8");
    return { focal: focalOf(text), stamp };
  } finally {
    await handle.close();
  }
}

function focalOf(text: string): FocalPoint | null {
  try {
    const value: unknown = readYaml(text).toJS({ maxAliasCount: 10 });
    if (typeof value !== "object" || value === null) return null;
    const { focal_point: point, focal } = value as Record<string, unknown>;
    const pair = point ?? focal;
    return Array.isArray(pair) ? toFocal(pair[0], pair[1]) : null;
  } catch {
    return null;
  }
}
