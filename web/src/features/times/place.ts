/** A day's anchor on the page, for links. */
export const placeOf = (day: string) => `tag-${day}`
