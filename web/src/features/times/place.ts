/** Where a day stands on the page, for who wants to go there. */
export const placeOf = (day: string) => `tag-${day}`
