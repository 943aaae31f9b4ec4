/** What an identity may write: the write paths of pages and records decide with it. */
import type { WriteAction, WriteRights } from "../../content/contract.js";
import type { AdminIdentity, Permission } from "../contract.js";
import { reasonAgainst } from "./path-rights.js";

const NEEDED: Readonly<Record<WriteAction, Permission>> = {
  create: "pages.create",
  update: "pages.update",
  delete: "pages.delete",
  upload: "media.upload",
  remove: "media.delete",
  publish: "pages.publish",
  code: "plugins.manage",
  record: "flex.write",
};

/** The rights of an identity to pages, media and records. */
export function rightsOf(identity: AdminIdentity): WriteRights {
  return {
    fields: identity.limits?.fields ?? null,
    refuse: (action, path) => reasonAgainst(identity, NEEDED[action], path),
  };
}

/** The rights to a text that the public does not see: a working copy. */
export function workingCopyRights({ fields, refuse }: WriteRights): WriteRights {
  return {
    fields,
    refuse: (action, path) => {
      if (action === "publish") return null;
      return refuse(action === "create" ? "update" : action, path);
    },
  };
}

/** The rights to see a text as a page without saving it: to read the page, and to run its code. */
export function previewRights(identity: AdminIdentity): WriteRights {
  return {
    fields: null,
    refuse: (action, path) =>
      reasonAgainst(identity, action === "code" ? NEEDED.code : "pages.read", path),
  };
}

/** The rights of a visitor with a preview link: what its creator chose to show. */
export function linkRights(runsCode: boolean): WriteRights {
  return {
    fields: null,
    refuse: (action) =>
      action === "code" && !runsCode ? "the page became code after the link was created" : null,
  };
}
