/** WordPress: the file of Tools → Export (WXR). */
import { basename } from "node:path";
import type { ImportItem, ImportSource, Origin, SourceInput } from "../../contract.js";
import { idKey } from "../../plan/address-key.js";
import { readChannel } from "./read-xml.js";
import { toItem, type WxrItem } from "./wxr-item.js";
import { WordpressSite } from "./wordpress-site.js";
import { toAttachment, toPage } from "./wordpress-items.js";

/** Types of items that describe the old theme and its editor. */
const INTERNAL: ReadonlySet<string> = new Set([
  "nav_menu_item",
  "revision",
  "custom_css",
  "customize_changeset",
  "oembed_cache",
  "wp_global_styles",
  "wp_navigation",
  "wp_template",
  "wp_template_part",
  "user_request",
]);

/** The source `wordpress`. */
export const wordpress: ImportSource = {
  summary: "the XML file of Tools → Export",
  items,
};

async function* items({ path, now }: SourceInput): AsyncGenerator<ImportItem> {
  const site = await WordpressSite.read(path);
  const file = basename(path);
  yield { kind: "site", hosts: site.hosts };
  for (const reason of site.notes) yield { kind: "notImported", origin: { file }, reason };
  for await (const element of readChannel(path)) {
    if (element.name === "item") yield* itemsOf(toItem(element), { site, file, now });
  }
}

function* itemsOf(
  item: WxrItem,
  at: { site: WordpressSite; file: string; now: number },
): Generator<ImportItem> {
  const origin = { file: at.file, line: item.line };
  const issue = issueOf(item);
  if (issue === "") return;
  if (issue !== null) yield { kind: "notImported", origin, reason: `${labelOf(item)}: ${issue}` };
  else if (item.type === "attachment") {
    const media = toAttachment(item, origin);
    if (media === null) {
      yield { kind: "notImported", origin, reason: `${labelOf(item)}: it has no address` };
    } else {
      yield media;
      yield* numberedAddress(item, origin);
    }
  } else {
    yield toPage(item, origin, at);
    if (item.status === "publish" && !item.hasPassword) yield* numberedAddress(item, origin);
    if (item.comments > 0) {
      const reason = `${labelOf(item)}: ${item.comments} comments`;
      yield { kind: "notImported", origin, reason };
    }
  }
}

/** The address of a public item on a site with plain permalinks: `/?p=12`. */
function* numberedAddress({ link, id }: WxrItem, origin: Origin): Generator<ImportItem> {
  if (URL.canParse(link) && /[?&](?:p|page_id|attachment_id)=\d/.test(link))
    yield { kind: "redirect", origin, from: link, to: idKey(id) };
}

/** Why an item stays behind; empty for one that needs no report. */
function issueOf({ type, status }: WxrItem): string | null {
  if (INTERNAL.has(type))
    return type === "nav_menu_item" ? "" : `items of type ${type} belong to the old theme`;
  if (status === "trash" || status === "auto-draft") return `its status is ${status}`;
  return null;
}

function labelOf({ type, title, id }: WxrItem): string {
  return `${type} ${JSON.stringify(title || id)}`;
}
