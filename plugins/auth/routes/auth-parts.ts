import type { SiteContext } from "#kernel";
import type { SessionService } from "../../session/contract.js";
import type { UsersService } from "../../users/contract.js";
import type { AuthSection } from "../contract.js";
import type { LoginProvider } from "../provider.js";
import type { Visitors } from "../visitors.js";

/** What the routes of mode `dune` stand on. */
export interface AuthParts {
  readonly site: SiteContext;
  readonly section: AuthSection;
  readonly sessions: SessionService;
  readonly users: UsersService;
  readonly visitors: Visitors;
  readonly providers: readonly LoginProvider[];
  /** `Secure` on cookies: everywhere but in dev. */
  readonly isSecure: boolean;
}
