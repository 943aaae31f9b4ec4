/** What a provider says of a person. */
export interface Profile {
  /** The provider's own id. */
  readonly id: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name?: string | undefined;
  readonly avatarUrl?: string | undefined;
}
/** What binds a login's start to its end. */
export interface LoginChecks {
  readonly state: string;
  /** PKCE. */
  readonly verifier: string;
  readonly nonce: string;
}
/** One way to log in by a provider. */
export interface LoginProvider {
  readonly slug: string;
  /** As the login page names it. */
  readonly label: string;
  /** Where the visitor logs in. Throws ProviderError. */
  start(checks: LoginChecks): Promise<URL>;
  /** Who came back to `callback`, the whole address. Throws ProviderError. */
  finish(callback: URL, checks: LoginChecks): Promise<Profile>;
}

/** `code`: the visitor's code or answer is wrong; `provider`: the provider does not do its part. */
export type ProviderFault = "code" | "provider";

/** A login that a provider did not let through; the message is for the log alone. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}
