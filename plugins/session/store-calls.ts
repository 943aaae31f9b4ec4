import {
  expectFields,
  expectKind,
  expectMethods,
  expectOptional,
  type EngineCalls,
  type ValueCheck,
} from "#kernel";
import { closeCall } from "#kernel/internal";
import type { SessionStore } from "./contract.js";

const methods = expectMethods(
  ["get", "set", "destroy", "destroyUser"],
  ["claim", "sweep", "open", "close"],
);
const limits = expectFields({
  limits: expectOptional(
    expectFields({ readMs: ["number", "nothing"], writeMs: ["number", "nothing"] }),
  ),
});
const record = expectFields({
  userId: ["string"],
  kind: ["string"],
  data: ["object"],
  createdAt: ["number"],
  expiresAt: ["number"],
});

/** Checks an engine of the slot `sessionStore`. */
export const storeProblem: ValueCheck = (store) => methods(store) ?? limits(store);

/** The calls of the slot; the front limits their time. */
export const storeCalls: EngineCalls<SessionStore> = {
  // A missing record may also be undefined, as a map returns it.
  get: { result: (value) => (value === null ? null : expectOptional(record)(value)) },
  set: { result: expectKind("anything") },
  destroy: { result: expectKind("anything") },
  destroyUser: { result: expectKind("number") },
  claim: { result: expectKind("boolean") },
  sweep: { result: expectKind("number", "nothing") },
  open: { result: expectKind("anything") },
  close: closeCall,
};
