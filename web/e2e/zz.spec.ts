import { test as t, expect, logIn, stopTheClock } from './support/test'
import { november } from './support/entries'
import { layOutAccount, layOutCompany } from './support/accounts'
import type { Page } from '@playwright/test'
t.use({ serviceWorkers: 'block' })
const C = process.env.COMBO ?? ''
const COMBOS = [['desktop',1280,800,'light'],['desktop',1280,800,'dark'],['phone',390,844,'light'],['phone',390,844,'dark'],['tablet',1024,768,'light']] as const
const people = [
 {id:'u-2',username:'Ingrid Holm',role:'companyAdmin',tagId:'04A1B2C3D4E5F6',isLocked:false,secondFactor:'authenticator'},
 {id:'u-1',username:'Mia Sommer',role:'user',tagId:'04A1B2C3D4E5F7',isLocked:false,secondFactor:'email'},
 {id:'u-4',username:'Finn Maurer',role:'user',tagId:'04A1B2C3D4E5F8',isLocked:true,lockToken:'9f2b64c1d07e5a389f2b64c1d07e5a38'},
 {id:'u-5',username:'Öznur Çelik',role:'user',tagId:null,isLocked:false,resetExpiresAt:'2026-11-21T10:00:00Z'},
 {id:'u-6',username:'Wartung',role:'user',tagId:'IT',isLocked:false},
 ...Array.from({length:9},(_,i)=>({id:`x-${i}`,username:`Person Nummer ${i}`,role:'user',tagId:`04B1B2C3D4E5${i}0`,isLocked:false})),
]
for (const [size,width,height,colorScheme] of COMBOS) {
 const name=`${size}-${colorScheme}`
 if (C && !name.includes(C)) continue
 t.describe(name,()=>{ t.use({viewport:{width,height},colorScheme})
  const shot=async(page:Page,what:string,full=true)=>{ await page.waitForTimeout(250); await page.screenshot({path:`/tmp/shots/${what}-${name}.png`,fullPage:full}) }
  t('employee', async({page,service})=>{
    service.entries=november(); service.answers.set('GET /api/companies/c-1',{body:{id:'c-1',name:'Tischlerei Holm'}}); layOutAccount(service)
    await stopTheClock(page)
    await page.goto(service.url); await page.getByRole('button',{name:'Login'}).click(); await expect(page.getByLabel('Firmenname')).toBeVisible(); await page.getByRole('button',{name:'Einloggen'}).click(); await shot(page,'login',false)
    await page.goto(service.url)
    await logIn(page,service.url); await expect(page.getByText('Monatssumme').or(page.getByText('Arbeitstage')).first()).toBeVisible(); await shot(page,'times')
    await page.getByRole('button',{name:/November 2026/}).click(); await shot(page,'monthpicker',false); await page.keyboard.press('Escape')
    if(size!=='phone'){ await page.getByRole('button',{name:/Mia Sommer/}).click(); await shot(page,'accountmenu',false); await page.keyboard.press('Escape') } else { await page.getByRole('button',{name:'Mehr'}).click(); await expect(page.getByRole('dialog')).toBeVisible(); await shot(page,'more',false); await page.keyboard.press('Escape') }
    await page.goto(`${service.url}/dashboard?tab=login`); await expect(page.getByText('Chrome auf Android')).toBeVisible(); await shot(page,'account')
    await page.getByRole('button',{name:'Passwort ändern'}).click(); await shot(page,'account-errors')
    await page.getByRole('button',{name:'Authenticator einrichten'}).click(); await expect(page.getByText('Kein Scanner')).toBeVisible(); await shot(page,'setup'); await page.getByLabel('6-stelliger').fill('123456'); await page.getByRole('button',{name:'Aktivieren'}).click(); await expect(page.getByRole('dialog')).toBeVisible(); await shot(page,'codes',false)
    await page.goto(`${service.url}/dashboard?tab=nix`); await expect(page.getByText('Modul nicht gefunden.')).toBeVisible(); await shot(page,'unknown',false)
    await page.goto(`${service.url}/dashboard`); await expect(page.getByText('Arbeitstage').first()).toBeVisible(); await page.waitForTimeout(2600); await service.stop(); await page.getByRole('button',{name:'Aktualisieren'}).click(); await expect(page.getByText('Keine Verbindung')).toBeVisible(); await shot(page,'times-offline')
  })
  t('admin', async({page,service})=>{
    service.answers.set('GET /api/companies/c-0',{body:{id:'c-0',name:'Plattform'}})
    service.answers.set('GET /api/companies',{body:[{id:'c-1',name:'Tischlerei Holm'},{id:'c-2',name:'Malerei Brandt'}]})
    service.answers.set('GET /api/companies/c-1/users',{body:people})
    const F=['Mitarbeiter verwalten','Dienstplan verwalten','Abwesenheiten bestätigen','Mitarbeiterkosten einsehen','Geräte verwalten','Arbeitszeiten konfigurieren','Daten Export','Fehlerlog','Anwesende Mitarbeiter','Datenschutz zustimmen','Gespeicherte Firmendaten sehen'].map((label,i)=>({id:`f-${i}`,key:`k${i}`,label}))
    service.answers.set('GET /api/features',{body:F}); service.answers.set('GET /api/companies/c-1/features',{body:F.slice(0,8)})
    service.answers.set('GET /api/companies/c-1/settings',{body:{timeZone:'Europe/Berlin'}})
    service.answers.set('POST /api/users',{body:{id:'n-1',username:'Neu'}})
    await stopTheClock(page)
    await logIn(page,service.url,'root'); await expect(page.getByRole('heading',{level:1})).toBeVisible(); await page.getByRole('button',{name:'Firma anlegen'}).click(); await shot(page,'create')
    await page.goto(`${service.url}/admin?tab=companies&firma=c-1`); await expect(page.getByText('Fehlerlog')).toBeVisible(); await page.getByLabel('Fehlerlog').click(); await page.getByLabel('Gespeicherte Firmendaten').click(); await shot(page,'modules')
    await page.getByRole('combobox').click(); await shot(page,'select',false); await page.keyboard.press('Escape')
    await page.getByRole('button',{name:'Firma löschen'}).click(); await page.getByRole('button',{name:'Endgültig löschen'}).click(); await shot(page,'delete',false); 
    await page.goto(`${service.url}/admin?tab=logins&firma=c-1`); await expect(page.getByText('Finn Maurer')).toBeVisible(); await shot(page,'logins')
    await page.getByRole('button',{name:'Login anlegen'}).click(); await page.getByRole('dialog').getByRole('button',{name:'Login anlegen'}).click(); await shot(page,'newlogin',false)
    await page.getByLabel('Benutzername').fill('x'); await page.keyboard.press('Escape'); await expect(page.getByText('Weiter bearbeiten')).toBeVisible(); await shot(page,'discard',false); await page.getByRole('button',{name:'Verwerfen'}).click()
    await page.getByRole('button',{name:'Mia Sommer bearbeiten'}).click(); await expect(page.getByText('Tag gilt ab').first()).toBeVisible(); await page.getByLabel('Tag gilt ab: Tag').click(); await shot(page,'edit',false); 
    await page.goto(`${service.url}/admin?tab=passwords&firma=c-1`); await expect(page.getByText('Finn Maurer')).toBeVisible(); await shot(page,'resets')
    await page.getByRole('button',{name:'Weitere Aktionen: Mia'}).click(); await shot(page,'rowmenu',false); await page.keyboard.press('Escape'); await page.getByRole('button',{name:'Mia Sommer sperren'}).click(); await shot(page,'lock',false)
  })
  t('company', async({page,service})=>{ layOutCompany(service); service.answers.set('GET /api/companies/c-1',{body:{id:'c-1',name:'Tischlerei Holm'}}); await stopTheClock(page); await logIn(page,service.url,'chef'); await expect(page.getByText('Die Rolle von Mia').first()).toBeVisible(); await page.getByText('Die Rolle von Mia').first().click(); await shot(page,'audit'); await page.getByLabel('Von').click(); await shot(page,'audit-date',false) })
 })
}
