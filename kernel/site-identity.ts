import { hostname } from "node:os";
import { SiteError } from "#lib/errors";
import { isPostgresUrl, type DatabaseAddress } from "#lib/databases";
import { isLoopbackUrl } from "#lib/urls";
import { sha256 } from "#lib/secrets";
import type { SiteContext } from "./contracts.js";

/** The name of a site in a store that its nodes share: its address, or its title when the address is not public. */
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

/** Name of a node that has none: the host name, and a digest because one machine may run several. */
export function defaultNodeName(root: string): string {
  const host = hostname().replaceAll(/[^A-Za-z0-9._-]/g, "-");
  const digest = sha256(root).slice(0, 12);
  return `${host.slice(0, 50)}-${digest}`;
}
