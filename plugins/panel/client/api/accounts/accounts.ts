import type { ApiToken } from "../../../../admin/contract.js";
import type { List } from "../content/pages.js";
import { json, queryText } from "../request.js";
import { language } from "../../app/texts.js";

/** An account, as administrators see it. */
export interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string | null;
  readonly username: string | null;
  readonly roles: readonly string[];
  /** `local`, or the name of an external login. */
  readonly provider: string;
  readonly enabled: boolean;
  readonly hasPassword: boolean;
  /** Unix ms. */
  readonly createdAt: number;
  readonly lastSeenAt: number;
}
/** The values of an account that may be changed. */
export interface AccountChange {
  name?: string;
  email?: string;
  username?: string;
  roles?: readonly string[];
  enabled?: boolean;
}
/** A new account. */
export interface NewAccount extends AccountChange {
  email: string;
  /** Absent: the account has none. */
  password?: string;
}
/** A part of the list of accounts. */
export interface Accounts {
  readonly users: readonly Account[];
  readonly total: number;
  readonly currentUserId: string;
}

/** Roles that open the panel. */
export const ROLES = ["admin", "editor", "author"] as const;

/** Accounts, oldest first. */
export function listAccounts(limit: number, offset: number): Promise<Accounts> {
  return json(`/users${queryText({ limit, offset })}`);
}

/** Creates an account. @throws ApiError 409 when the address is used. */
export function createAccount(account: NewAccount): Promise<unknown> {
  return json("/users", { method: "POST", body: account });
}

/** Changes an account. @throws ApiError 409 for the last administrator. */
export function changeAccount(id: string, change: AccountChange): Promise<unknown> {
  return json(accountPath(id), { method: "PUT", body: change });
}

/** Sets a password and ends the account's sessions. */
export function setAccountPassword(id: string, password: string): Promise<unknown> {
  return json(`${accountPath(id)}/password`, { method: "PUT", body: { password } });
}

/** Deletes an account. @throws ApiError 409 for the last administrator. */
export function deleteAccount(id: string): Promise<unknown> {
  return json(accountPath(id), { method: "DELETE" });
}

function accountPath(id: string): string {
  return `/users/${encodeURIComponent(id)}`;
}

/** An invitation that was not accepted yet. */
export interface Invitation {
  readonly id: string;
  readonly email: string;
  readonly role: string;
  /** Unix ms. */
  readonly expiresAt: number;
  readonly expired: boolean;
}
/** An invitation that was just sent; with a link to hand over when the site cannot send mail. */
export interface SentInvitation extends Invitation {
  readonly sent: boolean;
  readonly link?: string;
}

/** Open invitations. */
export function listInvitations(): Promise<List<Invitation>> {
  return json("/invitations");
}

/** Invites a person. @throws ApiError 409 when an account has the address. */
export function invite(email: string, role: string): Promise<SentInvitation> {
  return json("/invitations", { method: "POST", body: { email, role } });
}

/** Sends a new link, which replaces the former one. */
export function inviteAgain(id: string): Promise<SentInvitation> {
  return json(`/invitations/${encodeURIComponent(id)}/resend`, { method: "POST", body: {} });
}

/** Makes an invitation's link invalid. */
export function revokeInvitation(id: string): Promise<unknown> {
  return json(`/invitations/${encodeURIComponent(id)}`, { method: "DELETE" });
}

/** A role that opens the panel. */
export interface Role {
  readonly name: string;
  readonly permissions: readonly string[];
  /** Permissions of pages and media apply below these paths; null: everywhere. */
  readonly paths: readonly string[] | null;
  readonly builtIn: boolean;
}
/** The roles of the running server, the built-in ones first. */
export interface Roles extends List<Role> {
  /** Every permission there is. */
  readonly permissions: readonly string[];
}

/** The description of a permission, in the language of the panel. */
export interface PermissionText {
  readonly name: string;
  readonly title: string;
  /** One sentence. */
  readonly description: string;
  /** True when the account of the person has it. */
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

export type { ApiToken } from "../../../../admin/contract.js";

/** The own tokens, or all for those who manage accounts. */
export function listTokens(): Promise<List<ApiToken>> {
  return json("/tokens");
}

/** A token to create. */
export interface TokenRequest {
  readonly name: string;
  readonly permissions: readonly string[];
  /** `YYYY-MM-DD`; null: never. */
  readonly expires: string | null;
  /** Permissions of pages and media apply below these paths; null: everywhere. */
  readonly paths: readonly string[] | null;
  /** Keys of the front matter that it may change; null: all. */
  readonly fields: readonly string[] | null;
}
/** A token with its text. */
export interface NewToken extends ApiToken {
  readonly token: string;
}

/** Creates a token; its text is returned only here. */
export function createToken(token: TokenRequest): Promise<NewToken> {
  return json("/tokens", { method: "POST", body: token });
}

/** Makes a token invalid. */
export function revokeToken(id: string): Promise<unknown> {
  return json(`/tokens/${encodeURIComponent(id)}`, { method: "DELETE" });
}
