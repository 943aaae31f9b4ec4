import {
  expectEach,
  expectFields,
  expectKind,
  expectMethods,
  expectNullable,
  type EngineCall,
  type EngineCalls,
  type SiteContext,
} from "#kernel";
import { ChangesInRecords } from "./change-journal.js";
import type { RecordStore } from "./contract.js";
import { FileStore } from "./engines/file-store.js";

/** Registers what the plugin does in a site that starts. */
export function setUpRecords(site: SiteContext): void {
  const slot = site.engines.open("records", recordStoreProblem, recordStoreCalls);
  slot.register("files", new FileStore(site.paths.runtime));
  slot.activate("files");
  // Another plugin may activate its engine later.
  const records: RecordStore = {
    collection: (definition) => slot.active.collection(definition),
    log: (definition) => slot.active.log(definition),
    bytes: (definition) => slot.active.bytes(definition),
    journal: (definition) => slot.active.journal(definition),
  };
  site.provide("records", records);
  const { max_entries: maxEntries, max_days: maxDays } = site.settings.system.changes;
  const { clock } = site.runtime;
  const { forms } = site.changes.journal;
  const { log } = site;
  const store = new ChangesInRecords({ records, forms, clock, log, maxEntries, maxDays });
  site.engines.activate("changeStore", store);
}

const anything: EngineCall = { result: expectKind("anything") };

const flag: EngineCall = { result: expectKind("boolean") };

const text = expectKind("string");

const stored = expectFields({ value: () => null, node: ["string", "null"] });

const entry = expectFields({ n: ["number"], at: ["number"], value: () => null });

/** Checks an engine of the slot `records`. */
const recordStoreProblem = expectMethods(["collection", "log", "bytes", "journal"]);

/** The calls of the slot `records`, and those of the objects that they return. */
const recordStoreCalls: EngineCalls<RecordStore> = {
  collection: {
    result: expectMethods(["get", "put", "update", "delete", "list", "prune"]),
    calls: {
      get: { result: expectNullable(stored) },
      put: anything,
      update: { result: expectNullable(stored) },
      delete: flag,
      list: { result: expectFields({ items: expectEach(stored), total: ["number"] }) },
      prune: anything,
    },
  },
  log: {
    result: expectMethods(["append", "list", "follow"]),
    calls: {
      append: anything,
      list: { result: expectFields({ entries: expectEach(stored), total: ["number"] }) },
      follow: { result: expectKind("string", "null") },
    },
  },
  bytes: {
    result: expectMethods(["put", "get", "delete", "keys"]),
    calls: {
      put: anything,
      get: { result: expectKind("bytes", "null") },
      delete: anything,
      keys: { result: expectEach(text) },
    },
  },
  journal: {
    result: expectMethods(["append", "read", "newest", "prune"]),
    calls: {
      append: anything,
      read: { result: expectEach(entry) },
      newest: { result: expectNullable(entry) },
      prune: anything,
    },
  },
};
