/** A person's profile at a provider. */
export interface Profile {
  /** The provider's own id. */
  readonly id: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name?: string | undefined;
  readonly avatarUrl?: string | undefined;
  /** All claims of an OpenID provider. */
  readonly claims?: Readonly<Record<string, unknown>>;
}
/** Binds the end of a login to its start. */
export interface LoginChecks {
  readonly state: string;
  /** PKCE. */
  readonly verifier: string;
  readonly nonce: string;
}
/** A login provider. */
export interface LoginProvider {
  readonly slug: string;
  /** Its name on the login page. */
  readonly label: string;
  /**
   * The authorization URL.
   * @throws ProviderError.
   */
  start(checks: LoginChecks): Promise<URL>;
  /**
   * The profile of the visitor who returned to `callback`, the full URL.
   * @throws ProviderError.
   */
  finish(callback: URL, checks: LoginChecks): Promise<Profile>;
}

/** `code`: the visitor's code or callback is invalid; `provider`: the provider failed. */
export type ProviderFault = "code" | "provider";

/** A login that failed at a provider; the message only goes to the log. */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly fault: ProviderFault;

  constructor(fault: ProviderFault, message: string, cause?: unknown) {
    super(message, { cause });
    this.fault = fault;
  }
}
