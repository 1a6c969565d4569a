/** The button that opens the tax adviser's numbers. */
import { useState } from 'react'
import { fetched } from '../../patterns/fetched'
import { Button } from '../../ui/Button'
import { Pencil } from '../../ui/icons'
import { Buttons } from '../../ui/layout'
import { texts } from './texts'

const MappingDialog = fetched(async () => (await import('./MappingDialog')).MappingDialog, null)

export function EditMapping({ companyId }: { companyId: string }) {
  const [open, setOpen] = useState(false)
  return (
    <Buttons>
      <Button
        icon={<Pencil size={18} />}
        onPointerEnter={MappingDialog.prepare}
        onFocus={MappingDialog.prepare}
        onClick={() => setOpen(true)}
      >
        {texts.editMapping}
      </Button>
      {open && <MappingDialog companyId={companyId} onClose={() => setOpen(false)} />}
    </Buttons>
  )
}
