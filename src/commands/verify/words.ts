/** What is safe to follow wherever a fault names it. */
export const MEND = 'git remnant verify --repair'
