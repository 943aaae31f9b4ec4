/**
 * The focal point of a picture: read from its sidecar or an address, and rounded. `cropAround` in
 * `engines/process-image.ts` crops around it; the panel sets it.
 */
import { isRecord } from "#lib/values";
import { readYaml } from "#lib/yaml";
import type { FocalPoint } from "../contract.js";
import { openInside, type FileStamp } from "../originals/open-file.js";

const PERCENT_PAIR = /^(\d{1,3}(?:\.\d{1,4})?),(\d{1,3}(?:\.\d{1,4})?)$/;

/** Rounds to steps of 5 %, which bounds the number of variants; null for the centre. */
export function roundFocal(focal: FocalPoint | null): FocalPoint | null {
  if (focal === null) return null;
  const x = Math.round(focal.x / 5) * 5;
  const y = Math.round(focal.y / 5) * 5;
  return x === 50 && y === 50 ? null : { x, y };
}

/** A focal point as two numbers from 0 to 100; null for anything else. */
export function toFocal(x: unknown, y: unknown): FocalPoint | null {
  return isPercent(x) && isPercent(y) ? { x, y } : null;
}

function isPercent(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}

/** `x,y` in percent; null for anything else, which means the centre. */
export function parseFocal(value: string | undefined): FocalPoint | null {
  const pair = value === undefined ? null : PERCENT_PAIR.exec(value);
  return pair === null ? null : toFocal(Number(pair[1]), Number(pair[2]));
}

/** Maximum bytes of a sidecar. */
const LARGEST = 64 * 1024;

/** The focal point of a sidecar, and the state of its file. */
interface SidecarFocal {
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
    return { focal: parseSidecarFocal(text), stamp };
  } finally {
    await handle.close();
  }
}

function parseSidecarFocal(text: string): FocalPoint | null {
  const { values } = readYaml(text);
  if (!isRecord(values)) return null;
  const pair = values["focal_point"] ?? values["focal"];
  return Array.isArray(pair) ? toFocal(pair[0], pair[1]) : null;
}
