/** Something is wrong with the words of the command of migrations: a message without a stack. */
export class UsageError extends Error {}
