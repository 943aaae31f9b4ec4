import { json, queryText } from "../request.js";

/** A redirect of site.yaml. */
export interface Redirect {
  readonly from: string;
  readonly location: string;
  /** The reason why it does not help; null when it does. */
  readonly problem: string | null;
}
/** All redirects, with the digest of their file. */
export interface Redirects {
  readonly items: readonly Redirect[];
  readonly total: number;
  readonly hash: string;
  readonly status: 301 | 302;
}
/** The way of an address through its redirects. */
export interface AddressTest {
  readonly steps: readonly { from: string; location: string; status: number }[];
  readonly end: "page" | "restricted" | "file" | "route" | "outside" | "loop" | "nothing";
  readonly address: string;
  readonly sourcePath: string | null;
}
/** The addresses of a redirect. */
export type Addresses = Pick<Redirect, "from" | "location">;

/** The addresses that an existing redirect gets. */
export interface ChangedAddresses extends Addresses {
  /** Its old address until now. */
  readonly was: string;
}

const PATH = "/redirects";

/** All redirects, in the order of the file. */
export function listRedirects(): Promise<Redirects> {
  return json(PATH);
}

/** Adds a redirect. @throws ApiError 400 for loops, 409 for an address that redirects already. */
export function addRedirect(body: Addresses, ifMatch: string): Promise<unknown> {
  return json(PATH, { method: "POST", body, ifMatch });
}

/** Changes a redirect. @throws ApiError like `addRedirect`. */
export function changeRedirect(body: ChangedAddresses, ifMatch: string): Promise<unknown> {
  return json(PATH, { method: "PATCH", body, ifMatch });
}

/** Removes a redirect. */
export function removeRedirect(from: string, ifMatch: string): Promise<unknown> {
  return json(`${PATH}${queryText({ from })}`, { method: "DELETE", ifMatch });
}

/** Follows an address as a visitor's browser does. @throws ApiError 400 for one of another site. */
export function testAddress(address: string): Promise<AddressTest> {
  return json(`${PATH}/test${queryText({ address })}`);
}
