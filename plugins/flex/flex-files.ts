import { lstatSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { realInside } from "#kernel";
import { flexNameOf, isFlexName } from "./names.js";

/** Files that are read before other work gets its turn. */
const SLICE = 100;

/** Bytes of the largest file that is read. */
const LARGEST = 1_000_000;

/** A file's text and time. */
export interface FlexFile {
  readonly name: string;
  /** Empty for a file that is too large or cannot be read: `problem` says why. */
  readonly text: string;
  /** Unix ms. */
  readonly mtimeMs: number;
  readonly problem: string | null;
}

/** Schema and record files below `flex-objects/`. */
export class FlexFiles {
  /** Absolute path of `flex-objects/`. */
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** The schema files. */
  schemas(): FlexFile[] {
    return listYaml(this.folder).map((name) => readFlexFile(this.folder, name));
  }

  /** The record files of a type, a slice at a time: ten thousand of them must not stop the server. */
  async *records(type: string): AsyncGenerator<FlexFile> {
    const folder = join(this.folder, type);
    if (!isFlexName(type) || (await realInside(this.folder, folder)) === null) return;
    for (const [index, name] of listYaml(folder).entries()) {
      if (index % SLICE === SLICE - 1) await new Promise(setImmediate);
      yield readFlexFile(folder, name);
    }
  }

  /** One record file; null when there is none. */
  record(type: string, id: string): FlexFile | null {
    const file = readFlexFile(join(this.folder, type), id);
    return file.mtimeMs === 0 ? null : file;
  }

  /** Absolute path of a record's file. */
  path(type: string, id: string): string {
    return join(this.folder, type, `${id}.yaml`);
  }
}

function listYaml(folder: string): string[] {
  try {
    return readdirSync(folder)
      .flatMap((file) => flexNameOf(file) ?? [])
      .sort();
  } catch {
    return [];
  }
}

/** Synchronous: for small files a promise costs five times what the reading does. */
function readFlexFile(folder: string, name: string): FlexFile {
  const path = join(folder, `${name}.yaml`);
  try {
    const stats = lstatSync(path);
    const { mtimeMs } = stats;
    if (!stats.isFile()) return { name, text: "", mtimeMs, problem: "not a plain file" };
    if (stats.size > LARGEST)
      return { name, text: "", mtimeMs, problem: `larger than ${LARGEST} bytes` };
    return { name, text: readFileSync(path, "utf8"), mtimeMs, problem: null };
  } catch (error) {
    return {
      name,
      text: "",
      mtimeMs: 0,
      problem: error instanceof Error ? error.message : String(error),
    };
  }
}
