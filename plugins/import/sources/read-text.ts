/** Streams the text of a file, in the encoding that it declares. */
import { constants } from "node:fs";
import { open } from "node:fs/promises";
import { basename } from "node:path";
import { errorCode } from "#lib/errors";
import { sourceError } from "../errors.js";

const CHUNK = 256 * 1024;
const DECLARED = /^<\?xml[^>]{0,200}?\sencoding\s*=\s*["']([\w.:-]{1,40})["']/;

/** Parts of the text. @throws ERR_IMPORT_SOURCE for a missing file and for bytes of another encoding. */
export async function* readText(path: string): AsyncGenerator<string> {
  const file = basename(path);
  const handle = await openFile(path);
  try {
    if (!(await handle.stat()).isFile()) throw sourceError({ file }, "it is not a file");
    const buffer = Buffer.alloc(CHUNK);
    let decoder: TextDecoder | null = null;
    let line = 1;
    for (;;) {
      const { bytesRead } = await handle.read(buffer, 0, CHUNK, null);
      const bytes = buffer.subarray(0, bytesRead);
      decoder ??= decoderOf(bytes, file);
      const text = decode(decoder, bytes, file, line);
      for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) line += 1;
      if (text !== "") yield text;
      if (bytesRead === 0) return;
    }
  } finally {
    await handle.close();
  }
}

async function openFile(path: string) {
  try {
    return await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
  } catch (error) {
    const code = errorCode(error) ?? "unknown";
    const problem = code === "ENOENT" ? "there is no such file" : `it cannot be read (${code})`;
    throw sourceError({ file: basename(path) }, problem, "correct the path of the source");
  }
}

function decoderOf(bytes: Buffer, file: string): TextDecoder {
  const label = labelOf(bytes);
  try {
    return new TextDecoder(label, { fatal: true });
  } catch {
    throw sourceError(
      { file, line: 1 },
      `unknown encoding ${JSON.stringify(label)}`,
      "save it as UTF-8",
    );
  }
}

function labelOf(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  return DECLARED.exec(bytes.toString("latin1", 0, 300))?.[1] ?? "utf-8";
}

/** The text of the next bytes, which begin at a line; no bytes end the file. */
function decode(decoder: TextDecoder, bytes: Buffer, file: string, line: number): string {
  try {
    return decoder.decode(bytes, { stream: bytes.length > 0 });
  } catch {
    const problem = `bytes that are not ${decoder.encoding} at or after line ${line}`;
    throw sourceError({ file, line }, problem, "save the file as UTF-8");
  }
}

/** A copy of a part of a larger text, which would otherwise stay in memory as long as the part. */
export function detached(text: string): string {
  return Buffer.from(text).toString();
}
