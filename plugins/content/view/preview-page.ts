/** The tree as it would be with another text of one page. */
import { HttpError } from "#kernel";
import { runInSlices } from "#lib/concurrency";
import type { ContentIndex } from "../index/content-index.js";
import type { ContentRules } from "../index/store-options.js";
import type { ContentService, MediaItem, Page, PageText } from "../contract.js";
import { recordOfBytes, type SourceRecord } from "../read/source-record.js";
import { releaseKeys } from "../read/front-matter/hiding-keys.js";
import { indexWith } from "../index/index-with.js";
import type { PageLoader } from "./page-loader.js";
import { anonymous, TreeView, type ViewDeps } from "./view.js";

/** Dependencies of a preview. */
export interface PreviewContext {
  /** Dependencies of views on the current tree. */
  readonly deps: ViewDeps;
  readonly rules: ContentRules;
  readonly loader: PageLoader;
  media(folder: string): Promise<readonly MediaItem[]>;
}
type PagePreview = Awaited<ReturnType<ContentService["preview"]>>;

/**
 * The page as an anonymous visitor would see it once this text is published.
 * @throws HttpError 422 for a text or a path that no page can have.
 */
export async function previewPage(
  { path, text }: PageText,
  context: PreviewContext,
): Promise<PagePreview> {
  const bytes = Buffer.from(text);
  const record = recordOfBytes(path, bytes);
  if (record.error !== null) throw unfit(record.error.message);
  const published = asPublished(record);
  const index = await withRecords(context, [published]);
  const entry = index.bySource.get(path);
  if (entry === undefined) throw unfit("the tree has no place for this page");
  const media = await context.media(entry.folder);
  const body = bytes.toString("utf8", record.bodyOffset);
  const page: Page = { entry, raw: text, body, media, isPreview: true };
  if (!entry.isModule) return { entry, view: openView(index, page, context) };
  return inItsPage(page, published, index, context);
}

/** A module is shown in its page. */
async function inItsPage(
  page: Page,
  published: SourceRecord,
  index: ContentIndex,
  context: PreviewContext,
): Promise<PagePreview> {
  const { parent, lang } = page.entry;
  const view = openView(index, page, context);
  const route = parent ?? "/";
  const owner = index.at(route, lang) ?? view.page(route);
  if (owner === undefined) throw unfit("no page shows this module");
  const record = index.records.get(owner.sourcePath);
  if (view.canSee(owner) || record === undefined) return { entry: owner, view };
  const open = await withRecords(context, [published, asPublished(record)]);
  const entry = open.bySource.get(owner.sourcePath) ?? owner;
  return { entry, view: openView(open, page, context) };
}

/** A view on an index, in which `page` is loaded from memory. */
function openView(index: ContentIndex, page: Page, { deps, loader }: PreviewContext): TreeView {
  const load: ViewDeps["load"] = (entry, view) =>
    entry.sourcePath === page.entry.sourcePath ? loader.loaded(page) : loader.load(entry, view);
  return new TreeView({ ...deps, index, load }, anonymous);
}

/** A preview shows the page as it will be published, without the keys that hide it. */
function asPublished(record: SourceRecord): SourceRecord {
  const hiding = new Set(releaseKeys(record.frontmatter));
  const shown = Object.entries(record.frontmatter).filter(([key]) => !hiding.has(key));
  return { ...record, frontmatter: Object.fromEntries(shown) };
}

function unfit(message: string): HttpError {
  return new HttpError(422, `the page cannot be shown: ${message}`, {
    code: "ERR_CONTENT_INVALID",
  });
}

function withRecords(
  { deps, rules }: PreviewContext,
  changed: readonly SourceRecord[],
): Promise<ContentIndex> {
  return runInSlices(indexWith(deps.index, { changed, removed: [] }, rules));
}
