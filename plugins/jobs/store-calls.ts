/** The checks of engines of the slot `jobs`, and of what their calls return. */
import { expectFields, expectKind, expectMethods, expectNullable, shownValue } from "#lib/values";
import type { EngineCall, EngineCalls } from "#kernel";
import type { JobStore } from "./contract.js";

const anything: EngineCall = { result: expectKind("anything") };

const job = expectFields({
  id: ["string"],
  queue: ["string"],
  key: ["string"],
  group: ["string"],
  state: ["string"],
  attempts: ["number"],
  createdAt: ["number"],
  runAt: ["number"],
  startedAt: ["number", "null"],
  lastError: ["string", "null"],
});

/** Checks an engine of the slot `jobs`. */
export const jobStoreProblem = expectMethods([
  "write",
  "writeNew",
  "remove",
  "read",
  "list",
  "count",
  "open",
  "close",
]);

/** The calls of the slot `jobs`. */
export const jobStoreCalls: EngineCalls<JobStore> = {
  write: anything,
  writeNew: anything,
  remove: anything,
  read: { result: expectNullable(job) },
  list: {
    result: (value) =>
      typeof value === "object" && value !== null && Symbol.asyncIterator in value
        ? null
        : `expected an async iterable, received ${shownValue(value)}`,
  },
  count: { result: expectKind("number") },
  open: anything,
  close: anything,
};
