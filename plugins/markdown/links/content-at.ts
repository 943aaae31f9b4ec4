import type { ContentService, Moment } from "../../content/contract.js";

/** What references are resolved in. */
export type ReferredContent = Pick<
  ContentService,
  "generation" | "media" | "addresses" | "addressIn" | "source" | "view"
>;

/** The content of a moment. */
export function contentAt(moment: Moment, present: ReferredContent): ReferredContent {
  return {
    addresses: present.addresses,
    view: (viewer) => present.view({ roles: null, seesUnpublished: false, ...viewer, moment }),
    generation: () => moment.generation(),
    addressIn: (...page) => moment.addressIn(...page),
    source: (path) => moment.source(path),
    media: (folder) => moment.media(folder),
  };
}
