"""What other rooms know of companies and people, besides their tables, which upper rooms join.

`companies` finds, keeps open and locks companies, and reads what they have set; `people` finds and locks people;
`visibility` says whom a caller sees and may take in hand.
"""

from stempelwerk_cloud.people.directory.callers import ADMIN, COMPANY_ADMIN, USER, Caller, Role
from stempelwerk_cloud.people.directory.companies import (
    company_name,
    feature_keys,
    features_of,
    find_company,
    is_operator,
    keep_open,
    keep_rules,
    lock_company,
    lock_company_names,
    lock_open,
    lock_rules,
    open_companies,
    open_company,
    open_company_by_name,
    operator,
    replace_features,
    rules_of,
    set_setting_from,
    setting_changes,
    settings_now,
    settings_on,
    today_of,
)
from stempelwerk_cloud.people.directory.dated import (
    HOLIDAY_REGIONS,
    SETTINGS,
    SHAPING,
    Change,
    CompanySettings,
)
from stempelwerk_cloud.people.directory.dated import encode as encode_setting
from stempelwerk_cloud.people.directory.dated import named as settings_named
from stempelwerk_cloud.people.directory.dated import on as in_force
from stempelwerk_cloud.people.directory.dated import rules as dated_rules
from stempelwerk_cloud.people.directory.dated import since as in_force_since
from stempelwerk_cloud.people.directory.features import FEATURES, KEY_OF, KEYS, Feature
from stempelwerk_cloud.people.directory.names import fits as name_fits
from stempelwerk_cloud.people.directory.names import key as name_key
from stempelwerk_cloud.people.directory.names import shown as shown_name
from stempelwerk_cloud.people.directory.people import (
    Person,
    by_username,
    find_anywhere,
    find_person,
    find_user,
    holdings_of_tag,
    lock_people,
    open_holdings,
    people_in,
    people_of,
    usernames,
)
from stempelwerk_cloud.people.directory.problems import feature_off, protected_edit
from stempelwerk_cloud.people.directory.visibility import (
    account_of,
    account_to_change,
    accounts_of,
    accounts_to_change,
    is_founder,
    live_person,
    person_to_change,
    reachable_person,
    visible_people,
)

__all__ = [
    "ADMIN",
    "COMPANY_ADMIN",
    "FEATURES",
    "HOLIDAY_REGIONS",
    "KEYS",
    "KEY_OF",
    "SETTINGS",
    "SHAPING",
    "USER",
    "Caller",
    "Change",
    "CompanySettings",
    "Feature",
    "Person",
    "Role",
    "account_of",
    "account_to_change",
    "accounts_of",
    "accounts_to_change",
    "by_username",
    "company_name",
    "dated_rules",
    "encode_setting",
    "feature_keys",
    "feature_off",
    "features_of",
    "find_anywhere",
    "find_company",
    "find_person",
    "find_user",
    "holdings_of_tag",
    "in_force",
    "in_force_since",
    "is_founder",
    "is_operator",
    "keep_open",
    "keep_rules",
    "live_person",
    "lock_company",
    "lock_company_names",
    "lock_open",
    "lock_people",
    "lock_rules",
    "name_fits",
    "name_key",
    "open_companies",
    "open_company",
    "open_company_by_name",
    "open_holdings",
    "operator",
    "people_in",
    "people_of",
    "person_to_change",
    "protected_edit",
    "reachable_person",
    "replace_features",
    "rules_of",
    "set_setting_from",
    "setting_changes",
    "settings_named",
    "settings_now",
    "settings_on",
    "shown_name",
    "today_of",
    "usernames",
    "visible_people",
]
