// Mocha loads this first.
import assert from "node:assert/strict";
import { inspect } from "node:util";
import { rememberPasswords } from "./remember-passwords.js";

// Coverage is collected for this process only; a `site` started by a test runs compiled sources, for
// which it would write useless megabytes.
delete process.env["NODE_V8_COVERAGE"];

// For the message of a bare `assert.ok`, Node parses the source again from many columns; in a compiled
// file, which is one long line, a failure takes minutes.
const ok: (value: unknown, message: string | Error) => void = assert.ok;

function quickOk(value: unknown, message?: string | Error): void {
  ok(value, message ?? `expected something truthy, received ${inspect(value, { depth: 1 })}`);
}

Object.assign(assert, { ok: quickOk });
rememberPasswords();
