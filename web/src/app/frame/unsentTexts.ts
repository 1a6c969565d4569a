/** The texts of the question about unsent requests, fetched with it. */
export const texts = {
  unsentTitle: 'Noch nicht gesendet',
  unsentOwn: (count: number) =>
    count === 1
      ? '1 Änderung von dir ist noch nicht beim Server. Mit dem Logout geht sie verloren.'
      : `${count} Änderungen von dir sind noch nicht beim Server. Mit dem Logout gehen sie verloren.`,
  unsentOthers: (names: string, count: number) =>
    count === 1
      ? `Auf diesem Gerät liegt noch 1 nicht gesendete Änderung von ${names}. Wenn du dich hier anmeldest, geht sie verloren.`
      : `Auf diesem Gerät liegen noch ${count} nicht gesendete Änderungen von ${names}. Wenn du dich hier anmeldest, gehen sie verloren.`,
  leaveAnyway: 'Verwerfen und abmelden',
  enterAnyway: 'Verwerfen und anmelden',
  stayIn: 'Angemeldet bleiben',
} as const
