import type { Handler } from "#kernel";
import type { ContentService } from "../../content/contract.js";
import type { FoundMedia, MediaServer } from "./serve-media.js";

/** Dependencies of serving root files. */
export interface RootFilesParts {
  readonly content: ContentService;
  readonly server: MediaServer;
  /** `root_files` of the configuration. */
  readonly names: readonly string[];
}

/** Serves `/{name}` for configured root files, before the site's own routes. */
export function rootFiles({ content, server, names }: RootFilesParts): Handler {
  const paths = new Map(names.map((name) => [`/${name}`, name]));
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
    const found = await content.mediaFile(folder, name);
    if (found !== null) return { folder, name, ...found };
  }
  return null;
}

/** The content folder, then the home page's. */
function rootFolders(content: ContentService): string[] {
  const home = content.view().page("/")?.folder;
  return home === undefined || home === "" ? [""] : ["", home];
}
