// Mocha loads this first.
import assert from "node:assert/strict";
import { inspect } from "node:util";

// The coverage of this process is taken; a `site` that a test starts runs the compiled sources, which
// map to nothing, and would write megabytes for it.
delete process.env["NODE_V8_COVERAGE"];

// For the message of a bare `assert.ok`, Node reads the source and parses it from ever new columns;
// in a compiled file, which is one long line, a failure takes minutes.
const ok: (value: unknown, message: string | Error) => void = assert.ok;

function quickOk(value: unknown, message?: string | Error): void {
  ok(value, message ?? `expected something truthy, received ${inspect(value, { depth: 1 })}`);
}

Object.assign(assert, { ok: quickOk });
