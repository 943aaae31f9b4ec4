import { sha256 } from "#lib/secrets";
import type { ProcessedImage } from "../contract.js";

/** Header of a variant file, as one line of JSON. */
interface Header {
  type: string;
  width: number;
  height: number;
  length: number;
  digest: string;
}

/** A variant as a store keeps it: one line of JSON, then the bytes. */
export function formatVariantFile({ type, width, height, bytes }: ProcessedImage): Buffer {
  const header: Header = { type, width, height, length: bytes.length, digest: sha256(bytes) };
  return Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), bytes]);
}

/** The variant of such a file; null when it is damaged or foreign. */
export function parseVariantFile(content: Buffer): ProcessedImage | null {
  const end = content.indexOf("\n");
  const header = end === -1 ? null : parseHeader(content.toString("utf8", 0, end));
  if (header === null) return null;
  const bytes = content.subarray(end + 1);
  if (bytes.length !== header.length || sha256(bytes) !== header.digest) return null;
  return { type: header.type, width: header.width, height: header.height, bytes };
}

function parseHeader(line: string): Header | null {
  try {
    const value: unknown = JSON.parse(line);
    return isHeader(value) ? value : null;
  } catch {
    return null;
  }
}

function isHeader(value: unknown): value is Header {
  if (typeof value !== "object" || value === null) return false;
  const { type, width, height, length, digest } = value as Record<string, unknown>;
  const numbers = [width, height, length];
  return (
    typeof type === "string" &&
    /^image\/[a-z]+$/.test(type) &&
    typeof digest === "string" &&
    numbers.every((number) => Number.isInteger(number))
  );
}
