import { join } from "node:path";
import { type SiteContext, SiteError } from "#kernel";
import { WorkQueue } from "#lib/concurrency";
import type { MediaItem, PageEntry } from "../content/contract.js";
import type { ImageSize, MediaService } from "./contract.js";
import { imageEngineCalls, imageEngineProblem } from "./engine-calls.js";
import { createSharpEngine } from "./engines/sharp.js";
import { assertFileType } from "./file-signature.js";
import { imageAttributes, srcset, ImageSourceList } from "./variants/image-sources.js";
import { ImageProblems } from "./variants/image-problems.js";
import { ImageSizes } from "./variants/image-sizes.js";
import { MediaResponses } from "./originals/media-responses.js";
import { MissBudget, Variants } from "./variants/variants.js";
import { openBucket } from "./bucket.js";
import { openImageStore } from "./image-store.js";
import { Originals } from "./originals/originals.js";
import { mountMediaRoutes, rootFileTags } from "./routes/media-routes.js";
import { FileSender, sendBytes } from "./routes/send-body.js";
import { MediaServer } from "./routes/serve-media.js";

/** Registers what the plugin does in a site that starts. */
export function setUpMedia(site: SiteContext): void {
  const { images } = site.settings.system;
  const engines = openEngines(site);
  const variants = createVariants(site, engines);
  const responses = new MediaResponses(site.cache);
  const file = join(site.paths.cache, "image-sizes.json");
  const sizes = new ImageSizes({ file, engine: () => engines.image.active, log: site.log });
  const content = site.use("content");
  const { http } = site;
  const root = site.paths.content;
  const files = new FileSender();
  const server = new MediaServer({
    http,
    files,
    content,
    root,
    images,
    variants,
    responses,
    now: () => site.runtime.clock.now(),
    assertSession: (req) => site.use("session", { optional: true })?.assertAvailable(req),
  });
  const { root_files: rootNames } = site.settings.site;
  mountMediaRoutes(http, { content, server, images, rootNames });
  if (rootNames.length > 0) invalidateRootFiles(site);
  const sources = openSources(site, variants);
  const service = createService(site, { variants, responses, sizes, sources, files });
  site.provide("media", service);
  site.extensions.add("imageAttributes", (item, page) => service.imageAttributes(item, page));
  site.lifecycle.onReady(async () => {
    await site.hooks.run("onImageCreate", engines.image);
    await site.hooks.run("onImageStoreCreate", engines.imageStore.slot);
  });
  site.lifecycle.onClose(async () => {
    await sources.close();
    await variants.settled();
    await sizes.save();
  });
}

/** Maximum wait in the queue, in ms; by then most clients have given up. */
const MAX_WAIT_MS = 20_000;

interface ImageFacts {
  readonly size: ImageSize | null;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A generated file may be cached under the name of a new root file. */
function invalidateRootFiles(site: SiteContext): void {
  const content = site.use("content");
  site.changes.react("media", ({ tags }) => {
    if (tags === null || !rootFileTags(content).some((tag) => tags.has(tag))) return;
    site.use("cache", { optional: true })?.invalidate(["config"]);
  });
}

function openEngines(site: SiteContext) {
  const image = site.engines.open("image", imageEngineProblem, imageEngineCalls);
  image.register("sharp", createSharpEngine());
  image.activate("sharp");
  return { image, imageStore: openImageStore(site) };
}

function createVariants(site: SiteContext, engines: ReturnType<typeof openEngines>): Variants {
  const { concurrency, length, misses_per_minute: perMinute } = site.settings.system.images.queue;
  const { store } = engines.imageStore;
  const originals = new Originals(site.paths.content, {
    cache: site.cache,
    onChange: (digest) => void variants.delete(digest),
  });
  const variants = new Variants({
    originals,
    engine: () => site.runtime.trace.traced("image", engines.image.active),
    store: () => site.runtime.trace.traced("store.image", store()),
    queue: new WorkQueue({ concurrency, length, maxWaitMs: MAX_WAIT_MS, busy }),
    budget: new MissBudget(perMinute, () => site.use("security", { optional: true })),
    log: site.log,
    cache: site.cache,
    clock: site.runtime.clock,
  });
  return variants;
}

function openSources(site: SiteContext, variants: Variants): ImageSourceList {
  const { images } = site.settings.system;
  return new ImageSourceList({
    images,
    variants,
    cache: site.cache,
    log: site.log,
    signal: site.lifecycle.signal,
    file: join(site.paths.cache, "image-sources.json"),
    waits: site.lifecycle.purpose === "export",
    onMeasured: (url) => site.use("cache", { optional: true })?.invalidate([`image:${url}`]),
  });
}

function busy(reason: "full" | "slow"): SiteError {
  const message =
    reason === "full" ? "too many images are waiting" : "the image waited too long in the queue";
  return new SiteError("ERR_MEDIA_BUSY", message, { status: 503, headers: { "Retry-After": "2" } });
}

interface ServiceDependencies {
  readonly variants: Variants;
  readonly responses: MediaResponses;
  readonly sizes: ImageSizes;
  readonly sources: ImageSourceList;
  readonly files: FileSender;
}

function createService(
  site: SiteContext,
  { variants, responses, sizes, sources, files }: ServiceDependencies,
): MediaService {
  const allowed = site.settings.system.images.allowed_sizes;
  const content = site.use("content");
  const problems = new ImageProblems({ content, variants, sizes, sources, log: site.log });
  // Not in site.cache: an item represents one state of its file and lives as long as its listing,
  // and the facts live with the item.
  const factsByItem = new WeakMap<MediaItem, ImageFacts>();
  const readFacts = async (item: MediaItem, page: PageEntry): Promise<ImageFacts> => {
    const cached = factsByItem.get(item);
    const isNoted = sources.at(item.url) !== null;
    if (cached !== undefined && (isNoted || !("srcset" in cached.attributes))) return cached;
    const file = await content.mediaFile(page.folder, item.name);
    const size = file === null ? null : await sizes.of(file.file);
    const facts = { size, attributes: Object.freeze(imageAttributes(item.url, size, allowed)) };
    const { srcset: candidates } = facts.attributes;
    if (file !== null && size !== null && candidates !== undefined) {
      await sources.note({ url: item.url, file: file.file, size, srcset: candidates });
    }
    factsByItem.set(item, facts);
    return facts;
  };
  const readAttributes = async (item: MediaItem, page: PageEntry) => {
    const { attributes } = await readFacts(item, page);
    if (sources.problemOf(item.url) === null) return attributes;
    const { srcset: _srcset, sizes: _sizes, ...plain } = attributes;
    return plain;
  };
  return {
    sendFile: (req, res, file) => files.sendInside(req, res, file),
    sendBytes,
    openBucket: (options) => openBucket(site, options),
    assertFileType,
    imageSize: async (item, page) => (await readFacts(item, page)).size,
    imageAttributes: readAttributes,
    imageProblem: (name, bytes) => problems.of(name, bytes),
    imageProblems: () => problems.all(),
    srcsetOf: async ({ name, url }, folder) => {
      const file = await content.mediaFile(folder, name);
      const header = file === null ? null : await sizes.of(file.file);
      if (sources.problemOf(url) !== null) return "";
      return imageAttributes(url, header, allowed)["srcset"] ?? "";
    },
    srcset: (url, options) => srcset(url, allowed, options),
    imageSources: (url) => sources.at(url),
    stats: () => variants.stats(),
    purge: async () => {
      responses.clear();
      await variants.clear();
      responses.clear();
      site.log.info("media.purged");
    },
  };
}
