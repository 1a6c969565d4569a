/** The user's notification settings, and this browser's push subscription. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useEffectEvent, useState } from 'react'
import { api, dataOf } from '../../../api/client'
import { sentenceOf } from '../../../api/failures'
import type { Ability, Outcome } from '../../../api/push'
import * as push from '../../../api/push'
import { pushed } from '../../../api/pushed'
import type { components } from '../../../api/schema'
import { keyOf, useGet } from '../../../patterns/useGet'
import type { Failure } from '../../../ui/Notice'
import { texts } from './texts'

export type Notices = components['schemas']['NoticesRow']
export type Kind = keyof components['schemas']['KindsRow']
export type Channel = 'push' | 'mail'

export interface Choice {
  channel: Channel
  kind: Kind
  wanted: boolean
}

const PATH = '/api/notifications'

export const useNotices = () => useGet(PATH, {})

/** Changes one setting at a time, each shown at once. */
export function useChoose() {
  const queries = useQueryClient()
  const queryKey = keyOf(PATH)
  const mutation = useMutation({
    mutationFn: async ({ channel, kind, wanted }: Choice) =>
      dataOf(await api.PUT('/api/notifications', { body: { [channel]: { [kind]: wanted } } })),
    scope: { id: 'notices' },
    onMutate: async ({ channel, kind, wanted }) => {
      await queries.cancelQueries({ queryKey })
      queries.setQueryData<Notices>(queryKey, previous =>
        previous === undefined
          ? undefined
          : { ...previous, [channel]: { ...previous[channel], [kind]: wanted } },
      )
    },
    onSuccess: said => queries.setQueryData(queryKey, said),
    onError: () => queries.invalidateQueries({ queryKey }),
  })
  const { error } = mutation
  const failure: Failure | null =
    error === null ? null : { title: texts.chooseFailed, detail: sentenceOf(error, texts.chooseFailed) }
  /** Returns whether it was accepted. */
  const choose = (choice: Choice) =>
    mutation.mutateAsync(choice).then(
      () => true,
      () => false,
    )
  return { choose, failure, reset: mutation.reset }
}

export interface Device {
  ability: Ability
  /** Null until known. */
  on: boolean | null
  denied: boolean
  busy: boolean
  failure: Failure | null
  /** Returns whether it is on. */
  turnOn: () => Promise<boolean>
  turnOff: () => Promise<void>
  reset: () => void
}

export function useDevice(userId: string, publicKey: string): Device {
  const [on, setOn] = useState<boolean | null>(null)
  const [denied, setDenied] = useState(push.isDenied)
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<Failure | null>(null)

  const look = useEffectEvent(async () => {
    setDenied(push.isDenied())
    setOn(await push.isOn(userId, publicKey).catch(() => false))
  })
  const repair = useEffectEvent(async () => {
    if (pushed()?.userId === userId) await push.renew().catch(() => undefined)
    await look()
  })
  useEffect(() => {
    void repair()
    // The user returns to this page after changing the permission in the browser's settings.
    const back = () => void look()
    window.addEventListener('focus', back)
    return () => window.removeEventListener('focus', back)
  }, [])

  const act = async (what: () => Promise<Outcome | 'off'>): Promise<boolean> => {
    setBusy(true)
    setFailure(null)
    let outcome: Outcome | 'off' | null = null
    try {
      outcome = await what()
      if (outcome !== 'on' && outcome !== 'off') setFailure(texts.outcomes[outcome])
    } catch (error) {
      setFailure({ title: texts.deviceFailed, detail: sentenceOf(error, texts.deviceFailed) })
    }
    setDenied(push.isDenied())
    setOn(await push.isOn(userId, publicKey).catch(() => false))
    setBusy(false)
    return outcome === 'on'
  }

  return {
    ability: push.ability(),
    on,
    denied,
    busy,
    failure,
    turnOn: () => act(() => push.turnOn(userId, publicKey)),
    turnOff: async () => {
      await act(() => push.turnOff().then(() => 'off'))
    },
    reset: () => setFailure(null),
  }
}
