import type { WriteAction, WriteRights } from "../../../plugins/content/contract.js";

/** Rights to everything but some actions. */
export function rightsWithout(...actions: readonly WriteAction[]): WriteRights {
  return {
    fields: null,
    owner: null,
    refuse: (action) => (actions.includes(action) ? `the right ${action} is needed` : null),
  };
}
