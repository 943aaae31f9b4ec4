import type { List } from "../content/pages.js";
import { language } from "../../app/texts.js";
import { json } from "../request.js";

/** A role that opens the panel. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Where permissions of pages and media apply; null: everywhere. */
  readonly paths: readonly string[] | null;
  readonly builtIn: boolean;
}
/** The roles of the running server, the built-in ones first. */
export interface Roles extends List<Role> {
  /** Every permission there is. */
  readonly permissions: readonly string[];
}

/** What a permission allows, in the language of the panel. */
export interface PermissionText {
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** Whether the own account has it. */
  readonly own: boolean;
}

/** Every permission, explained. */
export async function listPermissions(): Promise<readonly PermissionText[]> {
  const { items } = await json<List<PermissionText>>(`/permissions?lang=${language}`);
  return items;
}

/** The roles that the server uses now. */
export function listRoles(): Promise<Roles> {
  return json("/roles");
}
