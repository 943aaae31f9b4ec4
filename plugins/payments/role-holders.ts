import type { AuthzService, UsersService } from "../users/contract.js";

/** Relation of roles that stand beside those an account came with (see `AuthzService.rolesOf`). */
const GRANTED = "granted";

/** What giving and taking roles stands on. */
export interface RoleHoldersOptions {
  readonly users: UsersService;
  readonly authz: AuthzService;
  /** True: accounts are records of ours; false: they live in a session or a token. */
  isKept(): boolean;
}

/** Gives roles to visitors and takes them, wherever their accounts are. */
export class RoleHolders {
  readonly #options: RoleHoldersOptions;

  constructor(options: RoleHoldersOptions) {
    this.#options = options;
  }

  /** False when the account is gone. */
  async exists(userId: string): Promise<boolean> {
    const { users, isKept } = this.#options;
    return !isKept() || (await users.get(userId)) !== null;
  }

  async give(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.grantRole(userId, role);
    else await authz.grant({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  async take(userId: string, role: string): Promise<void> {
    const { users, authz, isKept } = this.#options;
    if (isKept()) await users.revokeRole(userId, role);
    else await authz.revoke({ user: userId, relation: GRANTED, object: `role:${role}` });
  }

  /** Notes the provider's id of the visitor in the account (specification: User). */
  async setCustomer(userId: string, customerId: string): Promise<void> {
    const { users, isKept } = this.#options;
    if (!isKept()) return;
    await users.update(userId, (user) =>
      user.paymentCustomerId === customerId ? user : { ...user, paymentCustomerId: customerId },
    );
  }
}
