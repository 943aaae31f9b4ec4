/** The header `traceparent` (W3C Trace Context). */

/** The origin of a request. */
export interface Parent {
  /** 32 hex characters. */
  traceId: string;
  /** 16 hex characters. */
  spanId: string;
  sampled: boolean;
}

const FORM = /^[0-9a-f]{2}-[0-9a-f]{32}-[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** Parses the header; null when the standard says to ignore it (section 3.2). */
export function parseTraceparent(text: string | string[] | undefined): Parent | null {
  if (typeof text !== "string" || text.length > 256 || !FORM.test(text)) return null;
  const traceId = text.slice(3, 35);
  const spanId = text.slice(36, 52);
  if (!isKnown(text) || isZero(traceId) || isZero(spanId)) return null;
  return { traceId, spanId, sampled: (Number.parseInt(text.slice(53, 55), 16) & 1) === 1 };
}

/** Version 00 ends with its flags, later versions may be longer; ff is invalid. */
function isKnown(text: string): boolean {
  return !text.startsWith("ff") && !(text.startsWith("00") && text.length > 55);
}

function isZero(id: string): boolean {
  return /^0+$/.test(id);
}

/** Formats the header. */
export function formatTraceparent({ traceId, spanId, sampled }: Parent): string {
  return `00-${traceId}-${spanId}-${sampled ? "01" : "00"}`;
}
