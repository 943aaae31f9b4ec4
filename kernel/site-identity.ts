import { SiteError } from "#lib/errors";
import { isPostgresUrl, type DatabaseAddress } from "#lib/stores";
import { isLoopbackUrl } from "#lib/urls";
import type { SiteContext } from "./contracts.js";

/** What identifies a site in a store that its nodes share: a site without a public address is known by its title. */
export function siteIdentity({ settings: { site } }: Pick<SiteContext, "settings">): string {
  return isLoopbackUrl(site.url) ? site.title : site.url;
}

/** The database of SITE_DB_URL. @throws ERR_POSTGRES_URL. */
export function databaseOf(site: SiteContext): DatabaseAddress {
  const url = site.runtime.env.get("SITE_DB_URL");
  if (isPostgresUrl(url)) return { url, site: siteIdentity(site) };
  const what = url === undefined ? "not set" : "not a postgres:// URL";
  const message = `state is to be stored in PostgreSQL and SITE_DB_URL is ${what}`;
  const fix = "set SITE_DB_URL to postgres://user:password@host/database";
  throw new SiteError("ERR_POSTGRES_URL", message, { fix });
}
