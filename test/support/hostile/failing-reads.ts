import fs from "node:fs";
import promises from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";

const SYNC_CALLS = [
  "openSync",
  "readFileSync",
  "readdirSync",
  "statSync",
  "lstatSync",
  "realpathSync",
] as const;
const PROMISED_CALLS = ["open", "readFile", "readdir", "stat", "lstat", "realpath"] as const;

type Call = (...args: unknown[]) => unknown;

/** Reads that fail as with a broken disk, or without free file descriptors: by code, for some paths. */
export class FailingReads {
  readonly #undo: (() => void)[] = [];
  #code: string | null = null;
  #isHit: (path: string) => boolean = () => false;
  /** Calls that have failed. */
  failed = 0;

  install(): void {
    for (const name of SYNC_CALLS) this.#wrap(fs, name);
    for (const name of PROMISED_CALLS) this.#wrap(promises, name);
    syncBuiltinESMExports();
  }

  uninstall(): void {
    this.stop();
    for (const undo of this.#undo.splice(0)) undo();
    syncBuiltinESMExports();
  }

  /** From now on reads of such paths fail with the code. */
  start(code: string, isHit: (path: string) => boolean): void {
    this.#code = code;
    this.#isHit = isHit;
    this.failed = 0;
  }

  stop(): void {
    this.#code = null;
  }

  /** Runs code outside of the site: its reads succeed. */
  spare<T>(work: () => T): T {
    const code = this.#code;
    this.#code = null;
    try {
      return work();
    } finally {
      this.#code = code;
    }
  }

  #wrap(owner: object, name: string): void {
    const real: Call = Reflect.get(owner, name);
    const isPromised = owner === promises;
    const call: Call = (...args) => {
      const error = this.#errorOf(name, args[0]);
      if (error === null) return Reflect.apply(real, owner, args);
      if (isPromised) return Promise.reject(error);
      throw error;
    };
    // `realpathSync.native` and similar.
    for (const key of Object.keys(real)) Reflect.set(call, key, Reflect.get(real, key));
    Reflect.set(owner, name, call);
    this.#undo.push(() => Reflect.set(owner, name, real));
  }

  #errorOf(name: string, path: unknown): Error | null {
    if (this.#code === null || typeof path !== "string" || !this.#isHit(path)) return null;
    this.failed += 1;
    return Object.assign(new Error(`${this.#code}: injected, ${name} '${path}'`), {
      code: this.#code,
    });
  }
}
