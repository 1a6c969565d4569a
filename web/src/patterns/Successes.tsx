/** Where `succeed` shows its sentences: below the navigation bar, where no button is covered. */
import '@mantine/core/styles/Notification.layer.css'
import '@mantine/notifications/styles.layer.css'
import {
  createNotificationsStore,
  hideNotification,
  Notifications,
  showNotification,
} from '@mantine/notifications'
import { useEffect, useState } from 'react'
import { Check } from '../ui/icons'
import classes from './Successes.module.css'
import { forgetLast, useLastSuccess } from './succeed'

export function Successes() {
  const [store] = useState(createNotificationsStore)
  const last = useLastSuccess()
  useEffect(() => {
    if (last === null) return
    const { key, sentence, shownMs } = last
    const { notifications, queue } = store.getState()
    for (const { id, message } of [...notifications, ...queue]) {
      // Equal sentences of items decided together appear once.
      if (id !== undefined && (sentence === '' || message === sentence)) hideNotification(id, store)
    }
    if (sentence !== '')
      showNotification(
        {
          id: String(key),
          message: sentence,
          autoClose: shownMs,
          icon: <Check size={20} />,
          withCloseButton: false,
          role: 'status',
        },
        store,
      )
    forgetLast()
  }, [last, store])
  return (
    <Notifications
      store={store}
      position="top-center"
      limit={2}
      transitionDuration={150}
      classNames={{ root: classes.place ?? '' }}
    />
  )
}
