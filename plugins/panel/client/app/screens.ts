/** The list of all screens, with their addresses and menu entries. */
import type { IconNode } from "lucide";
import {
  Activity,
  CalendarClock,
  Database,
  FileText,
  Gauge,
  Image,
  KeyRound,
  Palette,
  ScrollText,
  SearchCheck,
  Settings,
  ShieldCheck,
  Signpost,
  Trash2,
  Users,
  Webhook,
} from "lucide";
import { may, mayEverywhere } from "../api/session.js";
import { lazy, type LazyComponent } from "../parts/loading.js";
import { matchPath, type ScreenProps } from "./router.js";
import type { t } from "./texts.js";

/** A screen of the panel. */
export interface Screen {
  /** Below `{admin.path}`; `:name` is one segment, `*name` the rest. */
  readonly path: string;
  /** Title, and text of the menu entry. */
  readonly label: Parameters<typeof t>[0];
  /** Needed to see it; `any` for every account. */
  readonly permission: string;
  /** True: it shows the whole site, so the permission must not be limited to paths. */
  readonly isOfWholeSite?: true;
  /** Group and icon in the menu; absent: not in the menu. */
  readonly menu?: { readonly group: "write" | "site"; readonly icon: IconNode };
  readonly view: LazyComponent<ScreenProps>;
}

/** The screens stand in the order of the menu. */
export const screens: readonly Screen[] = [
  {
    path: "/",
    label: "screen.dashboard",
    permission: "any",
    menu: { group: "write", icon: Gauge },
    view: lazy(() => import("../screens/dashboard.js")),
  },
  {
    path: "/pages",
    label: "screen.pages",
    permission: "pages.read",
    menu: { group: "write", icon: FileText },
    view: lazy(() => import("../screens/pages/pages.js")),
  },
  {
    path: "/edit/*path",
    label: "screen.editor",
    permission: "pages.read",
    view: lazy(() => import("../screens/editor/editor.js")),
  },
  {
    path: "/edit-page",
    label: "screen.editor",
    permission: "pages.read",
    view: lazy(async () => ({ default: (await import("../screens/editor/editor.js")).EditPage })),
  },
  {
    path: "/media",
    label: "screen.media",
    permission: "pages.read",
    menu: { group: "write", icon: Image },
    view: lazy(() => import("../screens/media/media.js")),
  },
  {
    path: "/records",
    label: "screen.records",
    permission: "flex.read",
    menu: { group: "write", icon: Database },
    view: lazy(async () => ({
      default: (await import("../screens/records/records.js")).RecordTypes,
    })),
  },
  {
    path: "/records/:type",
    label: "screen.records",
    permission: "flex.read",
    view: lazy(() => import("../screens/records/records.js")),
  },
  {
    path: "/records/:type/:id",
    label: "screen.records",
    permission: "flex.read",
    view: lazy(() => import("../screens/records/record.js")),
  },
  {
    path: "/planned",
    label: "screen.planned",
    permission: "pages.read",
    menu: { group: "write", icon: CalendarClock },
    view: lazy(() => import("../screens/planned.js")),
  },
  {
    path: "/trash",
    label: "screen.trash",
    permission: "pages.read",
    menu: { group: "write", icon: Trash2 },
    view: lazy(() => import("../screens/trash.js")),
  },
  {
    path: "/account",
    label: "screen.account",
    permission: "any",
    view: lazy(() => import("../screens/account/account.js")),
  },
  {
    path: "/users",
    label: "screen.users",
    permission: "users.manage",
    menu: { group: "site", icon: Users },
    view: lazy(() => import("../screens/users.js")),
  },
  {
    path: "/roles",
    label: "screen.roles",
    permission: "users.manage",
    menu: { group: "site", icon: ShieldCheck },
    view: lazy(() => import("../screens/roles.js")),
  },
  {
    path: "/themes",
    label: "screen.themes",
    permission: "config.read",
    menu: { group: "site", icon: Palette },
    view: lazy(() => import("../screens/themes.js")),
  },
  {
    path: "/redirects",
    label: "screen.redirects",
    permission: "config.read",
    menu: { group: "site", icon: Signpost },
    view: lazy(() => import("../screens/redirects.js")),
  },
  {
    path: "/tokens",
    label: "screen.tokens",
    permission: "any",
    menu: { group: "site", icon: KeyRound },
    view: lazy(() => import("../screens/tokens.js")),
  },
  {
    path: "/webhooks",
    label: "screen.webhooks",
    permission: "pages.read",
    isOfWholeSite: true,
    menu: { group: "site", icon: Webhook },
    view: lazy(() => import("../screens/webhooks/webhooks.js")),
  },
  {
    path: "/searches",
    label: "screen.searches",
    permission: "pages.read",
    isOfWholeSite: true,
    menu: { group: "site", icon: SearchCheck },
    view: lazy(() => import("../screens/searches.js")),
  },
  {
    path: "/searches/:part",
    label: "screen.searches",
    permission: "pages.read",
    isOfWholeSite: true,
    view: lazy(() => import("../screens/searches.js")),
  },
  {
    path: "/audit",
    label: "screen.audit",
    permission: "users.manage",
    menu: { group: "site", icon: ScrollText },
    view: lazy(() => import("../screens/audit.js")),
  },
  {
    path: "/jobs",
    label: "screen.jobs",
    permission: "config.read",
    menu: { group: "site", icon: Activity },
    view: lazy(() => import("../screens/jobs.js")),
  },
  {
    path: "/settings",
    label: "screen.settings",
    permission: "config.read",
    menu: { group: "site", icon: Settings },
    view: lazy(() => import("../screens/settings/settings.js")),
  },
  {
    path: "/settings/:section",
    label: "screen.settings",
    permission: "config.read",
    view: lazy(() => import("../screens/settings/settings.js")),
  },
];

/** True when the account may open the screen. */
export function maySee({ permission, isOfWholeSite }: Screen): boolean {
  return isOfWholeSite === true ? mayEverywhere(permission) : may(permission);
}

/** The screen at an address, with the parameters of its path; null for other addresses. */
export function findScreen(
  path: string,
): { screen: Screen; params: Readonly<Record<string, string>> } | null {
  for (const screen of screens) {
    const params = matchPath(screen.path, path);
    if (params !== null) return { screen, params };
  }
  return null;
}
