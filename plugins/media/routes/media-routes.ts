import type { NextFunction, Request, Response } from "express";
import { HttpError, type Handler, type Http, type RouteDefinition } from "#kernel";
import type { ContentService } from "../../content/contract.js";
import type { ImagesSection } from "../contract.js";
import { FolderNames, splitMediaPath, type MediaPath, imageQuery } from "../params.js";
import type { FoundMedia, MediaServer } from "./serve-media.js";

interface MediaRequest {
  readonly req: Request;
  readonly res: Response;
  readonly path: MediaPath;
  /** Looks up the present file of a path, with its page. */
  find(path: MediaPath): Promise<FoundMedia | null>;
}

const PREFIX = "/content-media/";
const EXTENSION = /\.[A-Za-z0-9]{1,10}$/;

/** Dependencies of the routes. */
export interface MediaRoutesOptions {
  readonly content: ContentService;
  readonly server: MediaServer;
  /** `root_files` of the configuration. */
  readonly rootNames: readonly string[];
  readonly images: Pick<ImagesSection, "allowed_sizes" | "default_quality">;
}

/**
 * `/content-media/{folder}/{file}`, the same files below their page's route, and cached responses
 * for both.
 */
export function mountMediaRoutes(http: Http, options: MediaRoutesOptions): void {
  http.jsonPrefix("/content-media");
  http.edge("cached", (req, res) => options.server.serveCached(req, res));
  if (options.rootNames.length > 0) http.use("routes", rootFiles(options));
  http.route(contentMedia(options));
  // After the routes of the site, so that content files do not replace them.
  http.use("pages", pageMedia(options));
}

function contentMedia({ content, server, images }: MediaRoutesOptions): RouteDefinition {
  const folders = new FolderNames(() => content.generation());
  const query = imageQuery(images.allowed_sizes, images.default_quality);
  return {
    method: "get",
    path: `${PREFIX}*path`,
    summary: "A file of a page, or a variant of an image",
    query,
    responses: {
      200: null,
      206: null,
      304: null,
      400: null,
      404: null,
      416: null,
      422: null,
      503: null,
    },
    handler: async (req, res) => {
      const path = splitMediaPath(req.ctx.path.slice(PREFIX.length));
      const find = (path: MediaPath) => findMedia(content, folders, path);
      const isServed = path !== null && (await serveMoment(server, { req, res, path, find }));
      if (!isServed) throw new HttpError(404, "Not found");
    },
  };
}

/** Serves the file of the moment that the request shows; false when nothing is visible. */
async function serveMoment(
  server: MediaServer,
  { req, res, path, find }: MediaRequest,
): Promise<boolean> {
  const past = await server.servePast(req, res, path);
  if (past !== null) return past;
  const media = await find(path);
  return media !== null && server.serve(req, res, media);
}

/** Looks up the folder by its literal name, then by its name without order number. */
async function findMedia(
  content: ContentService,
  folders: FolderNames,
  path: MediaPath,
): Promise<FoundMedia | null> {
  const file = await findFile(content, path);
  if (file !== null) return file;
  const folder = folders.literal(path.folder);
  if (folder === null || folder === path.folder) return null;
  return findFile(content, { folder, name: path.name });
}

/** `/{route}/{file}`: a name with an extension below the address of a page. */
function pageMedia({ content, server }: MediaRoutesOptions) {
  const serve: Handler = async (req, res, next) => {
    const path = besidePage(content, req);
    const find = (path: MediaPath) => findFile(content, path);
    if (path === null || !(await serveMoment(server, { req, res, path, find }))) next();
  };
  // Hot path for most pages, so without a promise.
  return (req: Request, res: Response, next: NextFunction): unknown =>
    isCandidate(req) ? serve(req, res, next) : next();
}

function isCandidate(req: Request): boolean {
  if (req.method !== "GET" && req.method !== "HEAD") return false;
  return EXTENSION.test(req.ctx.path) && !req.ctx.path.startsWith(PREFIX);
}

function besidePage(content: ContentService, req: Request): MediaPath | null {
  const { path } = req.ctx;
  const slash = path.lastIndexOf("/");
  const split = splitMediaPath(path.slice(1));
  if (split === null) return null;
  const match = content.view(req.ctx.state.viewer).resolve(path.slice(0, slash) || "/");
  const isPage = match.kind === "gated" || (match.kind === "page" && match.pageNumber === 1);
  if (!isPage) return null;
  return { folder: match.entry.folder, name: split.name };
}

async function findFile(content: ContentService, path: MediaPath): Promise<FoundMedia | null> {
  const file = await content.mediaFile(path.folder, path.name);
  return file === null ? null : { ...path, ...file };
}

/** Serves `/{name}` for configured root files, before the site's own routes. */
function rootFiles({ content, server, rootNames }: MediaRoutesOptions): Handler {
  const paths = new Map(rootNames.map((name) => [`/${name}`, name]));
  return async (req, res, next) => {
    const isRead = req.method === "GET" || req.method === "HEAD";
    const name = isRead ? paths.get(req.ctx.path) : undefined;
    const media = name === undefined ? null : await findRootFile(content, name);
    if (media === null || !(await server.serve(req, res, media))) next();
  };
}

/** Tags of content changes that may affect a root file. */
export function rootFileTags(content: ContentService): string[] {
  return rootFolders(content).map((folder) => `media:${folder}`);
}

async function findRootFile(content: ContentService, name: string): Promise<FoundMedia | null> {
  for (const folder of rootFolders(content)) {
    const file = await content.mediaFile(folder, name);
    if (file !== null) return { folder, name, ...file };
  }
  return null;
}

/** The content folder, then the home page's. */
function rootFolders(content: ContentService): string[] {
  const home = content.view().page("/")?.folder;
  return home === undefined || home === "" ? [""] : ["", home];
}
