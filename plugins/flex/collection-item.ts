import type { CollectionItem } from "../content/contract.js";
import type { FlexRecord, FlexType } from "./contract.js";
import { recordDay, recordRoute, recordTitle } from "./records/record-title.js";

/** A record as a collection lists it: shaped like a page, its fields as front matter. */
export function toCollectionItem(
  type: FlexType,
  record: FlexRecord,
  place: { lang: string; index: number; timezone: string },
): CollectionItem {
  const route = recordRoute(record);
  const title = recordTitle(type, record);
  return {
    sourcePath: `flex-objects/${type.name}/${record._id}.yaml`,
    folder: `flex-objects/${type.name}`,
    route,
    url: route,
    lang: place.lang,
    format: "yaml",
    template: "flex",
    title,
    navTitle: title,
    date: recordDay(record, place.timezone),
    status: "published",
    published: true,
    publishAt: null,
    unpublishAt: null,
    visible: false,
    routable: true,
    isModule: false,
    order: place.index,
    depth: 2,
    parent: `/flex/${type.name}`,
    taxonomy: {},
    roles: null,
    aliases: [],
    frontmatter: record,
    hash: `${record._id}-${record._updatedAt}`,
    mtimeMs: record._updatedAt,
    size: 0,
    bodyOffset: 0,
  };
}
