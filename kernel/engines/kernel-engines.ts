/** The slots of the kernel: checks of their engines, and the engines of a site without other nodes. */
import { expectEach, expectFields, expectKind, expectMethods, expectNullable } from "#lib/values";
import type {
  Authorization,
  ChangeAnnouncer,
  ChangeStore,
  EngineCall,
  EngineCalls,
  Leader,
  WriteLock,
} from "../contracts.js";
import { closeCall } from "./engine-calls.js";

/** Time limit of an announcer, for which a change waits, in ms: longer than a node takes to notice that another one is down. */
const ANNOUNCE_MS = 60_000;
/** Time limit of the check of a permission, in ms. */
const AUTHORIZE_MS = 30_000;

const anything: EngineCall = { result: expectKind("anything") };
const flag: EngineCall = { result: expectKind("boolean") };
const text = expectKind("string");

/** Checks an engine of the slot `changeAnnouncer`. */
export const announcerProblem = expectMethods(["announce"], ["sharesRoot"]);
/** The calls of the slot `changeAnnouncer`. */
export const announcerCalls: EngineCalls<ChangeAnnouncer> = {
  announce: {
    result: expectNullable(expectEach(expectFields({ cursor: ["string"], changes: ["list"] }))),
    limitMs: ANNOUNCE_MS,
  },
  sharesRoot: flag,
};

/** Checks an engine of the slot `changeStore`. */
export const changeStoreProblem = expectFields({
  isShared: ["boolean"],
  seen: ["string"],
  append: ["function"],
  missed: ["function"],
  cursor: ["function"],
  read: ["function"],
  close: ["function", "nothing"],
});
/** The calls of the slot `changeStore`. */
export const changeStoreCalls: EngineCalls<ChangeStore> = {
  append: anything,
  missed: anything,
  cursor: { result: text },
  read: { result: expectFields({ batches: ["list"], more: ["boolean"] }) },
  close: closeCall,
};

/** Checks an engine of the slot `authorization`. */
export const authorizationProblem = expectFields({
  permissions: expectEach(text),
  authorize: ["function"],
});
/** The calls of the slot `authorization`: what returns something may mean "no" by it, and is no permission. */
export const authorizationCalls: EngineCalls<Authorization> = {
  authorize: { result: expectKind("nothing"), limitMs: AUTHORIZE_MS },
};

/** Checks an engine of the slot `leader`. */
export const leaderProblem = expectMethods(["claim"]);
/** The calls of the slot `leader`. */
export const leaderCalls: EngineCalls<Leader> = { claim: flag };

/** The engines of a site without other nodes: the process queues its own writes. */
export const ownProcess: { writeLock: WriteLock; changeAnnouncer: ChangeAnnouncer } = {
  writeLock: { run: (work) => work(() => undefined) },
  changeAnnouncer: { announce: () => Promise.resolve(null) },
};

/**
 * Decides whether this process announces what it finds while no cluster decides. Several processes of one site root
 * find each change; the leader announces it. Servers that share a leader have roots of their own, and each
 * serves one.
 */
export function announcesForRoot(leader: Leader, isServing: boolean): Promise<boolean> {
  return leader.isShared === true && isServing ? Promise.resolve(true) : leader.claim();
}
