import { SiteError, type SiteContext } from "#kernel";
import { runningFile } from "#lib/packages";
import { CommentStore } from "./comment-store.js";
import type { CommentsSection } from "./contract.js";
import { commentsData, Moderation } from "./moderation.js";
import { PageComments } from "./page-comments.js";
import { adminRoutes } from "./routes/admin-routes.js";
import { publicRoutes } from "./routes/public-routes.js";

/** Registers what the plugin does in a site that starts. */
export function setUpComments(site: SiteContext): void {
  const section = site.settings.site.comments;
  // Without the block there are neither routes nor a form.
  if (section !== undefined) setUp(site, section);
}

function setUp(site: SiteContext, section: CommentsSection): void {
  if (site.use("forms", { optional: true }) === undefined) {
    throw new SiteError("ERR_COMMENTS_FORMS", "comments need the plugin forms", {
      fix: "select the plugins forms and session, or remove `comments`",
    });
  }
  const store = new CommentStore({
    records: site.use("records"),
    render: (text) => site.use("markdown").renderVisitorText(text),
    keepsHtml: site.lifecycle.purpose !== "export",
  });
  const pages = new PageComments(site, store, section);
  // An export shows the comments; everything else needs a server.
  if (site.lifecycle.purpose === "export") {
    site.extensions.add("pageProps", (input) => pages.exportedProps(input));
    return;
  }
  const moderation = new Moderation(site, store);
  site.provide("comments", moderation);
  publicRoutes({ site, section, store, pages, moderation });
  adminRoutes(site, moderation);
  site.extensions.add("personalData", commentsData(store, moderation));
  site.extensions.add("pageProps", (input) => pages.props(input));
  site.extensions.add("panelExtensions", { file: runningFile("plugins/comments/client/panel.js") });
  followMoves(site, store, pages);
}

/** Comments follow their page. */
function followMoves(site: SiteContext, store: CommentStore, pages: PageComments): void {
  site.changes.onAnnounce("comments", async ({ changes }) => {
    for (const change of changes) {
      if (change.kind !== "page" || change.op !== "move") continue;
      const { before, after } = change;
      if (before !== null && after !== null)
        await store.move(pages.keyOf(before), pages.keyOf(after));
    }
  });
}
