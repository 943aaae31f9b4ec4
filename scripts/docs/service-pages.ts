import type { ContractMember } from "./contracts.js";

/** A page of the reference of services. */
export interface ServicePage {
  /** Its folder; without the number, the last part of its address. */
  folder: string;
  title: string;
  /** The plugins that provide its services; null: all that no other page has. */
  plugins: ReadonlySet<string> | null;
}

const SERVICES_ADDRESS = "/extend/reference/services";

/** By theme; the numbers of their folders order them. */
export const SERVICE_PAGES: readonly ServicePage[] = [
  {
    folder: "01.content",
    title: "Content and themes",
    plugins: new Set([
      "check",
      "comments",
      "content",
      "flex",
      "forms",
      "git-sync",
      "history",
      "markdown",
      "media",
      "records",
      "render",
      "search",
      "static",
    ]),
  },
  {
    folder: "02.accounts",
    title: "Accounts and access",
    plugins: new Set([
      "admin",
      "auth",
      "authz",
      "openid",
      "passkeys",
      "security",
      "session",
      "users",
    ]),
  },
  { folder: "03.operation", title: "Operation", plugins: null },
];

/** The page that shows a service. */
export function servicePageOf({ name, owner }: ContractMember): ServicePage {
  const page = SERVICE_PAGES.find(({ plugins }) => plugins?.has(owner) ?? true);
  if (page === undefined)
    throw new Error(`the service ${name} belongs to no page of SERVICE_PAGES`);
  return page;
}

/** The address of a page below the site. */
export function servicesAddress({ folder }: ServicePage): string {
  return `${SERVICES_ADDRESS}/${folder.replace(/^\d+\./, "")}`;
}

/** The address of the entry of a service. */
export function serviceAddress(service: ContractMember): string {
  return `${servicesAddress(servicePageOf(service))}#service-${service.name.toLowerCase()}`;
}
