import {
  expectFields,
  expectKind,
  expectMethods,
  expectNullable,
  type EngineCall,
  type EngineCalls,
  type ValueCheck,
} from "#kernel";
import { shownValue } from "#lib/values";
import type { ImageEngine, ImageStore } from "./contract.js";

/** Time limit of processing an image, in ms; requests wait for it. */
const PROCESS_MS = 30_000;
/** A page waits this long for the size of an image, in ms. */
const SIZE_MS = 5_000;
/** Longest wait of a request for a stored variant, in ms; then the variant is generated. */
export const STORE_READ_MS = 1_000;
/** In the background. */
export const STORE_WRITE_MS = 10_000;
/** The largest side that a format can have, that of PNG. */
const MAX_PIXELS = 2 ** 31 - 1;

const pixels: ValueCheck = (value) =>
  Number.isInteger(value) && Number(value) >= 1 && Number(value) <= MAX_PIXELS
    ? null
    : `expected a whole number of pixels from 1 to ${MAX_PIXELS}, received ${shownValue(value)}`;

const imageType: ValueCheck = (value) =>
  typeof value === "string" && /^image\/[\w.+-]+$/.test(value)
    ? null
    : `expected a MIME type such as image/webp, received ${shownValue(value)}`;

const bytes: ValueCheck = (value) =>
  Buffer.isBuffer(value) && value.length > 0
    ? null
    : `expected a Buffer with at least one byte, received ${shownValue(value)}`;

const color: ValueCheck = (value) =>
  typeof value === "string" && /^#[\da-f]{6}$/i.test(value)
    ? null
    : `expected a colour such as #00ff7f or null, received ${shownValue(value)}`;

const frames: ValueCheck = (value) =>
  Number.isInteger(value) && Number(value) >= 1
    ? null
    : `expected a whole number of at least 1, received ${shownValue(value)}`;

const image = expectFields({ type: imageType, width: pixels, height: pixels, bytes });
const header = expectFields({ width: pixels, height: pixels, problem: ["string", "nothing"] });
const anything: EngineCall = { result: expectKind("anything") };

/** Checks an engine of the slot `image`. */
export const imageEngineProblem = expectMethods(["process", "size"], ["look"]);
/** The calls of the slot `image`. */
export const imageEngineCalls: EngineCalls<ImageEngine> = {
  process: { result: image, limitMs: PROCESS_MS },
  size: { result: expectNullable(header), limitMs: SIZE_MS },
  look: {
    result: expectFields({ color: expectNullable(color), frames }),
    limitMs: PROCESS_MS,
  },
};

/** Checks an engine of the slot `imageStore`. */
export const imageStoreProblem = expectMethods(["get", "put", "delete", "clear"]);
/** The calls of the slot `imageStore`. */
export const imageStoreCalls: EngineCalls<ImageStore> = {
  get: { result: expectNullable(image), limitMs: STORE_READ_MS },
  put: { ...anything, limitMs: STORE_WRITE_MS },
  delete: { ...anything, limitMs: STORE_WRITE_MS },
  clear: anything,
};
