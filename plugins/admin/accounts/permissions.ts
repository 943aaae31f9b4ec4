import type { Permission } from "../contract.js";
import type { PERMISSION_LANGUAGES } from "../schemas/accounts.js";

const EVERYBODY = [
  "pages.read",
  "pages.create",
  "pages.update",
  "media.upload",
  "flex.read",
  "submissions.read",
] as const satisfies readonly Permission[];
const EDITORS = [
  ...EVERYBODY,
  "pages.delete",
  "pages.publish",
  "media.delete",
  "flex.write",
  "comments.moderate",
  "redirects.update",
  "config.read",
] as const satisfies readonly Permission[];
const ADMINS = [
  ...EDITORS,
  "config.update",
  "users.manage",
  "plugins.manage",
] as const satisfies readonly Permission[];

/** Permissions of the roles that every site has. */
export const BUILT_IN_ROLES: ReadonlyMap<string, readonly Permission[]> = new Map<
  string,
  readonly Permission[]
>([
  ["admin", ADMINS],
  ["editor", EDITORS],
  ["author", EVERYBODY],
]);

/** Every permission. */
export const PERMISSIONS: readonly Permission[] = ADMINS;

/** True for the name of a permission. */
export function isPermission(name: string): name is Permission {
  return PERMISSIONS.some((permission) => permission === name);
}

/** The permissions with those that they include: redirects are keys of site.yaml. */
export function withIncluded(permissions: readonly Permission[]): readonly Permission[] {
  const isPlain =
    !permissions.includes("config.update") || permissions.includes("redirects.update");
  return isPlain ? permissions : [...permissions, "redirects.update"];
}

/** Title and sentence of a permission in one language. */
interface PermissionText {
  readonly title: string;
  readonly description: string;
}
/** A language with texts of the permissions. */
type PermissionLanguage = (typeof PERMISSION_LANGUAGES)[number];

/** The texts of every permission: the panel, the documentation and the command line show them. */
export const PERMISSION_TEXTS: Readonly<
  Record<Permission, Readonly<Record<PermissionLanguage, PermissionText>>>
> = {
  "pages.read": {
    en: {
      title: "Read pages",
      description: "Sees all pages, with drafts, gated pages, their media and versions.",
    },
    de: {
      title: "Seiten lesen",
      description: "Sieht alle Seiten, auch Entwürfe und geschützte, mit Medien und Versionen.",
    },
  },
  "pages.create": {
    en: {
      title: "Create pages",
      description: "Creates pages as drafts, and restores pages from the trash.",
    },
    de: {
      title: "Seiten anlegen",
      description: "Legt Seiten als Entwürfe an und holt Seiten aus dem Papierkorb zurück.",
    },
  },
  "pages.update": {
    en: {
      title: "Change pages",
      description: "Changes and moves drafts, and prepares working copies of published pages.",
    },
    de: {
      title: "Seiten ändern",
      description:
        "Ändert und verschiebt Entwürfe und bereitet Arbeitskopien veröffentlichter Seiten vor.",
    },
  },
  "pages.delete": {
    en: {
      title: "Delete pages",
      description: "Moves pages to the trash, and empties the trash.",
    },
    de: {
      title: "Seiten löschen",
      description: "Legt Seiten in den Papierkorb und leert den Papierkorb.",
    },
  },
  "pages.publish": {
    en: {
      title: "Publish pages",
      description: "Publishes and withdraws pages, and changes published pages directly.",
    },
    de: {
      title: "Seiten veröffentlichen",
      description:
        "Veröffentlicht Seiten, zieht sie zurück und ändert veröffentlichte Seiten direkt.",
    },
  },
  "media.upload": {
    en: {
      title: "Upload media",
      description:
        "Uploads files of pages; replaces and describes those of pages that are not published.",
    },
    de: {
      title: "Medien hochladen",
      description:
        "Lädt Dateien von Seiten hoch; ersetzt und beschreibt die von nicht veröffentlichten Seiten.",
    },
  },
  "media.delete": {
    en: { title: "Delete media", description: "Deletes files of pages." },
    de: { title: "Medien löschen", description: "Löscht Dateien von Seiten." },
  },
  "flex.read": {
    en: { title: "Read records", description: "Sees all records, with hidden ones." },
    de: { title: "Datensätze lesen", description: "Sieht alle Datensätze, auch verborgene." },
  },
  "flex.write": {
    en: {
      title: "Change records",
      description: "Creates, changes and deletes records, and deletes submissions of forms.",
    },
    de: {
      title: "Datensätze ändern",
      description:
        "Legt Datensätze an, ändert und löscht sie, und löscht Einsendungen von Formularen.",
    },
  },
  "submissions.read": {
    en: {
      title: "Read submissions",
      description: "Sees and downloads what visitors sent with forms.",
    },
    de: {
      title: "Einsendungen lesen",
      description: "Sieht, was Besucher mit Formularen gesendet haben, und lädt es herunter.",
    },
  },
  "comments.moderate": {
    en: {
      title: "Moderate comments",
      description: "Approves, hides, answers and deletes comments of visitors.",
    },
    de: {
      title: "Kommentare moderieren",
      description: "Gibt Kommentare von Besuchern frei, verbirgt, beantwortet und löscht sie.",
    },
  },
  "redirects.update": {
    en: {
      title: "Change redirects",
      description: "Adds, changes and removes redirects; seeing their list needs config.read.",
    },
    de: {
      title: "Weiterleitungen ändern",
      description:
        "Legt Weiterleitungen an, ändert und entfernt sie; ihre Liste zu sehen braucht config.read.",
    },
  },
  "config.read": {
    en: {
      title: "Read settings",
      description: "Sees the settings with masked secrets, redirects, synonyms, jobs and caches.",
    },
    de: {
      title: "Einstellungen lesen",
      description:
        "Sieht Einstellungen mit verdeckten Geheimnissen, Weiterleitungen, Synonyme, Aufträge und Caches.",
    },
  },
  "config.update": {
    en: {
      title: "Change settings",
      description:
        "Changes settings, redirects and synonyms, but nothing that makes the site run code or trust others.",
    },
    de: {
      title: "Einstellungen ändern",
      description:
        "Ändert Einstellungen, Weiterleitungen und Synonyme, aber nichts, wodurch die Website Code ausführt oder anderen vertraut.",
    },
  },
  "users.manage": {
    en: {
      title: "Manage accounts",
      description:
        "Creates, invites, changes and deletes accounts that may not do more than the own one; reads the audit log.",
    },
    de: {
      title: "Konten verwalten",
      description:
        "Legt Konten an, lädt ein, ändert und löscht Konten, die nicht mehr dürfen als das eigene; liest das Protokoll.",
    },
  },
  "plugins.manage": {
    en: {
      title: "Manage plugins and code",
      description:
        "Decides which code the site runs and whom it trusts: plugins, themes, pages that are code, roles, providers, folders.",
    },
    de: {
      title: "Plugins und Code verwalten",
      description:
        "Entscheidet, welchen Code die Website ausführt und wem sie vertraut: Plugins, Themes, Seiten mit Code, Rollen, Anbieter, Ordner.",
    },
  },
};
